// Sorts the files by the column whose heading is pressed.
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
