"""The part of the SARIF 2.1.0 schema that `check --output-format sarif` uses, written down from the OASIS standard.

As in the standard's own schema no object may have a property that is not named here; properties that the program does
not write are left out, so a new one has to be looked up in the standard (section numbers at the definitions) first.
"""

from __future__ import annotations

from typing import Any


def _object(required: list[str] | None = None, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": False, "required": required or [], "properties": properties}


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/definitions/{name}"}


def _list(items: dict[str, Any], unique: bool = False, least: int = 0) -> dict[str, Any]:
    return {"type": "array", "items": items, "uniqueItems": unique, "minItems": least}


TEXT = {"type": "string"}
URI = {"type": "string", "format": "uri"}
URI_REFERENCE = {"type": "string", "format": "uri-reference"}
LEVEL = {"enum": ["none", "note", "warning", "error"]}
COUNT = {"type": "integer", "minimum": 1}
INDEX = {"type": "integer", "minimum": -1}

SCHEMA: dict[str, Any] = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    **_object(  # 3.13
        ["version", "runs"],
        **{"$schema": URI, "version": {"const": "2.1.0"}, "runs": _list(_ref("run"))},
    ),
    "definitions": {
        "run": _object(  # 3.14
            ["tool"],
            tool=_ref("tool"),
            results=_list(_ref("result")),
            invocations=_list(_ref("invocation")),
            columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
            originalUriBaseIds={"type": "object", "additionalProperties": _ref("artifactLocation")},
        ),
        "tool": _object(["driver"], driver=_ref("toolComponent")),  # 3.18
        "toolComponent": _object(  # 3.19
            ["name"], name=TEXT, version=TEXT, informationUri=URI, rules=_list(_ref("reportingDescriptor"), unique=True)
        ),
        "reportingDescriptor": _object(  # 3.49
            ["id"],
            id=TEXT,
            name=TEXT,
            helpUri=URI,
            shortDescription=_ref("multiformatMessageString"),
            help=_ref("multiformatMessageString"),
            properties=_ref("propertyBag"),
        ),
        "multiformatMessageString": _object(["text"], text=TEXT, markdown=TEXT),  # 3.12
        "message": {"anyOf": [{"required": ["text"]}, {"required": ["id"]}], **_object(text=TEXT, id=TEXT)},  # 3.11
        "invocation": _object(  # 3.20
            ["executionSuccessful"],
            executionSuccessful={"type": "boolean"},
            toolExecutionNotifications=_list(_ref("notification")),
        ),
        "notification": _object(["message"], message=_ref("message"), level=LEVEL),  # 3.58
        "result": _object(  # 3.27
            ["message"],
            ruleId=TEXT,
            ruleIndex=INDEX,
            level=LEVEL,
            message=_ref("message"),
            locations=_list(_ref("location")),
            relatedLocations=_list(_ref("location"), unique=True),
            partialFingerprints={"type": "object", "additionalProperties": TEXT},
            fixes=_list(_ref("fix"), unique=True),
            properties=_ref("propertyBag"),
        ),
        "location": _object(id=INDEX, physicalLocation=_ref("physicalLocation"), message=_ref("message")),  # 3.28
        "physicalLocation": {  # 3.29
            "anyOf": [{"required": ["address"]}, {"required": ["artifactLocation"]}],
            **_object(artifactLocation=_ref("artifactLocation"), region=_ref("region")),
        },
        "artifactLocation": _object(uri=URI_REFERENCE, uriBaseId=TEXT),  # 3.4
        "region": _object(startLine=COUNT, startColumn=COUNT, endLine=COUNT, endColumn=COUNT),  # 3.30
        "fix": _object(  # 3.55
            ["artifactChanges"],
            description=_ref("message"),
            artifactChanges=_list(_ref("artifactChange"), unique=True, least=1),
        ),
        "artifactChange": _object(  # 3.56
            ["artifactLocation", "replacements"],
            artifactLocation=_ref("artifactLocation"),
            replacements=_list(_ref("replacement"), least=1),
        ),
        "replacement": _object(  # 3.57
            ["deletedRegion"], deletedRegion=_ref("region"), insertedContent=_ref("artifactContent")
        ),
        "artifactContent": _object(text=TEXT),  # 3.3
        "propertyBag": {  # 3.8
            "type": "object",
            "additionalProperties": True,
            "properties": {"tags": _list(TEXT, unique=True)},
        },
    },
}
