// Sorts the files by the column whose heading is pressed, and shows those of a choice.
(() => {
  document.documentElement.classList.add("js");
  const table = document.querySelector(".files");
  if (!table) return;
  const body = table.tBodies[0];
  const headings = [...table.tHead.rows[0].cells];
  const isNumber = (column) => body.rows[0].cells[column].dataset.value !== undefined;
  const compare = (column, sign) => (a, b) => {
    const [left, right] = [a.cells[column], b.cells[column]];
    if (!isNumber(column)) {
      return sign * left.textContent.localeCompare(right.textContent, undefined, { numeric: true });
    }
    // Cells without a number are last in both orders.
    const isEmpty = (cell) => cell.dataset.value === "";
    if (isEmpty(left) || isEmpty(right)) return isEmpty(left) - isEmpty(right);
    return sign * (Number(left.dataset.value) - Number(right.dataset.value));
  };
  // Choices of rows by the labels of their first cells, and of the sections to which these lead.
  const labels = (row) => [...row.querySelectorAll("th [data-filter]")].map((label) => label.dataset.filter);
  const groups = [["Kind", (label) => !isVerdict(label)], ["Limits", isVerdict]];
  function isVerdict(label) {
    return label === "pass" || label === "fail";
  }
  const rows = [...body.rows];
  const choices = [];
  const filters = Object.assign(document.createElement("div"), { className: "filters" });
  for (const [name, isOf] of groups) {
    const counts = new Map();
    for (const label of rows.flatMap(labels).filter(isOf)) counts.set(label, (counts.get(label) ?? 0) + 1);
    if (counts.size < 2) continue;
    const select = document.createElement("select");
    select.append(new Option(`all (${rows.length})`, ""));
    for (const [label, count] of [...counts].sort()) select.append(new Option(`${label} (${count})`, label));
    const label = document.createElement("label");
    label.append(`${name} `, select);
    filters.append(label);
    choices.push(select);
    select.addEventListener("change", () => {
      for (const row of rows) {
        const isHidden = choices.some(({ value }) => value !== "" && !labels(row).includes(value));
        row.hidden = isHidden;
        const link = row.querySelector("th a")?.hash.slice(1);
        if (link) document.getElementById(link).hidden = isHidden;
      }
    });
  }
  if (choices.length > 0) table.parentElement.before(filters);
  headings.forEach((heading, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => {
      const before = heading.getAttribute("aria-sort");
      const order = before ? (before === "descending" ? "ascending" : "descending") : isNumber(column) ? "descending" : "ascending";
      headings.forEach((other) => other.removeAttribute("aria-sort"));
      heading.setAttribute("aria-sort", order);
      body.append(...[...body.rows].sort(compare(column, order === "descending" ? -1 : 1)));
    });
  });
})();
