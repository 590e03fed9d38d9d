"""The rules, one file each, by ExportDB tag family. A rule is found by being here."""
