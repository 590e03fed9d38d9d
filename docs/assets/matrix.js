// The filter over the support matrix. Material swaps pages without a reload, so the fields are looked up anew each time.
function connectMatrix() {
  const filter = document.getElementById("matrix-filter");
  if (!filter) return;
  const table = document.querySelector("#matrix table");
  const versions = table.dataset.versions.split(" ");
  const modes = table.dataset.modes.split(" ");
  const rows = [...table.tBodies[0].rows];
  const [heads, subheads] = [...table.tHead.rows].map((row) => [...row.cells]);
  const count = document.getElementById("matrix-count");

  // A row has one cell for the case, and then one a mode for each version.
  const versionOf = (column) => versions[Math.floor(column / modes.length)];
  const modeOf = (column) => modes[column % modes.length];

  const apply = () => {
    const text = filter.querySelector("input[type=search]").value.toLowerCase();
    const changing = filter.querySelector("input[type=checkbox]").checked;
    const [family, tag, version, mode, verdict] = [...filter.querySelectorAll("select")].map((field) => field.value);
    const shown = subheads.map((_, column) =>
      (!version || versionOf(column) === version) && (!mode || modeOf(column) === mode));
    subheads.forEach((cell, column) => { cell.hidden = !shown[column]; });
    versions.forEach((name, index) => {
      const head = heads[index + 1];
      head.hidden = Boolean(version) && name !== version;
      head.colSpan = mode ? 1 : modes.length;
    });
    let left = 0;
    for (const row of rows) {
      const cells = [...row.cells].slice(1);
      const words = cells.filter((_, column) => shown[column]).map((cell) => cell.className);
      row.hidden = !(
        (row.textContent + row.cells[0].firstChild.title).toLowerCase().includes(text) &&
        (!family || row.dataset.family === family) &&
        (!tag || row.dataset.tags.split(" ").includes(tag)) &&
        (!verdict || words.includes(verdict)) &&
        (!changing || changes(cells, shown))
      );
      if (row.hidden) continue;
      left += 1;
      cells.forEach((cell, column) => { cell.hidden = !shown[column]; });
    }
    count.textContent = `${left} of ${rows.length} cases`;
  };

  // Whether one of the modes has another verdict in another version, of the columns that are shown.
  const changes = (cells, shown) =>
    modes.some((mode) => {
      const words = cells
        .filter((_, column) => shown[column] && modeOf(column) === mode)
        .map((cell) => cell.className)
        .filter((word) => word !== "none");
      return new Set(words).size > 1;
    });

  filter.addEventListener("input", apply);
  apply();
}
if (window.document$) window.document$.subscribe(connectMatrix);
else document.addEventListener("DOMContentLoaded", connectMatrix);
