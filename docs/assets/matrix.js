// The filter over the support matrix. Material swaps pages without a reload, so the fields are looked up anew each time.
function connectMatrix() {
  const filter = document.getElementById("matrix-filter");
  if (!filter) return;
  const rows = [...document.querySelectorAll("#matrix tbody tr")];
  const count = document.getElementById("matrix-count");
  const apply = () => {
    const text = filter.querySelector("input").value.toLowerCase();
    const [family, verdict] = [...filter.querySelectorAll("select")].map((field) => field.value);
    let shown = 0;
    for (const row of rows) {
      const wanted =
        row.textContent.toLowerCase().includes(text) &&
        (!family || row.dataset.family === family) &&
        (!verdict || row.dataset.verdicts.split(" ").includes(verdict));
      row.hidden = !wanted;
      shown += wanted ? 1 : 0;
    }
    count.textContent = `${shown} of ${rows.length} cases`;
  };
  filter.addEventListener("input", apply);
  apply();
}
if (window.document$) window.document$.subscribe(connectMatrix);
else document.addEventListener("DOMContentLoaded", connectMatrix);
