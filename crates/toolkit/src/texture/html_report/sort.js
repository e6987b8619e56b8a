// Sorts the files by the column whose heading is pressed.
(() => {
  document.documentElement.classList.add("js");
  const table = document.querySelector(".files");
  if (!table) return;
  const body = table.tBodies[0];
  const headings = [...table.tHead.rows[0].cells];
  const isNumber = (column) => body.rows[0].cells[column].dataset.value !== undefined;
  const compare = (column) => (a, b) => {
    const [left, right] = [a.cells[column], b.cells[column]];
    return isNumber(column)
      ? Number(left.dataset.value) - Number(right.dataset.value)
      : left.textContent.localeCompare(right.textContent, undefined, { numeric: true });
  };
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
      const rows = [...body.rows].sort(compare(column));
      body.append(...(order === "descending" ? rows.reverse() : rows));
    });
  });
})();
