// What is wrong with the geometry of a page: text that is cut, outside, too small or over other text, controls over each other.
// `least` is the smallest size of letters in pixels, `scrolls` whether the page may be longer than its window.
(least, scrolls) => {
  const SLACK = 1.5;
  const root = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
  const found = new Set();
  const named = (element) => {
    const mark = [...element.attributes].find((one) => one.name.startsWith("data-"));
    return `${element.tagName.toLowerCase()}.${element.getAttribute("class")?.split(" ")[0] ?? ""}${mark ? `[${mark.name}=${mark.value}]` : ""}`;
  };
  const isOver = (one, other) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > SLACK &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > SLACK;
  // The ancestor that scrolls, if any: what is out of its sight can be reached, and lies over nothing.
  const scroller = (element) => {
    for (let at = element; at !== null && at !== root.parentElement; at = at.parentElement) {
      const { overflowY, overflowX } = getComputedStyle(at);
      if (/auto|scroll/.test(overflowY + overflowX)) return at;
    }
    return null;
  };
  const scrolled = (element) => scroller(element) !== null;
  const isIn = (box, edge) => box.top >= edge.top && box.bottom <= edge.bottom && box.left >= edge.left && box.right <= edge.right;

  const texts = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const holder = node.parentElement;
    if (node.data.trim() === "" || holder.closest(".unseen, svg, script, style, option") || !holder.checkVisibility({ visibilityProperty: true })) continue;
    const size = parseFloat(getComputedStyle(holder).fontSize);
    const range = document.createRange();
    range.selectNodeContents(node);
    // The box of a line is higher than its letters: what counts is the middle seven tenths of their size.
    const boxes = [...range.getClientRects()]
      .filter(({ width, height }) => width > 0 && height > 0)
      .map(({ left, right, top, bottom }) => {
        const middle = (top + bottom) / 2;
        return { left, right, top: middle - 0.35 * size, bottom: middle + 0.35 * size };
      });
    const edge = scroller(holder)?.getBoundingClientRect();
    const inSight = edge === undefined ? boxes : boxes.filter((box) => isIn(box, edge));
    if (inSight.length > 0) texts.push({ holder, size, boxes: inSight, said: node.data.trim().slice(0, 40) });
  }

  for (const { holder, size, boxes, said } of texts) {
    if (size < least - 0.05) found.add(`${size.toFixed(1)} px: “${said}” in ${named(holder)}`);
    for (let at = holder; at !== null && at !== root.parentElement; at = at.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(at);
      if (/auto|scroll/.test(overflowX + overflowY)) break;
      if (!/hidden|clip/.test(overflowX + overflowY)) continue;
      const edge = at.getBoundingClientRect();
      if (boxes.some((box) => box.left < edge.left - SLACK || box.right > edge.right + SLACK || box.top < edge.top - SLACK || box.bottom > edge.bottom + SLACK)) {
        found.add(`cut: “${said}” in ${named(holder)} by ${named(at)}`);
      }
    }
    if (!scrolled(holder)) {
      const below = scrolls && root === document.body ? Infinity : innerHeight;
      if (boxes.some((box) => box.left < -SLACK || box.right > innerWidth + SLACK || box.top < -SLACK || box.bottom > below + SLACK)) found.add(`outside: “${said}” in ${named(holder)}`);
    }
  }

  const controls = [...root.querySelectorAll("button, input, select, textarea, a[href]")]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !scrolled(one))
    .map((one) => ({ one, box: one.getBoundingClientRect() }))
    .filter(({ box }) => box.width > 1);
  for (const [place, { one, box }] of controls.entries()) {
    for (const { one: other, box: its } of controls.slice(place + 1)) {
      if (!one.contains(other) && !other.contains(one) && isOver(box, its)) found.add(`over each other: ${named(one)} and ${named(other)}`);
    }
    for (const { holder, boxes, said } of texts) {
      const own = one.contains(holder) || (holder.closest("[data-area]")?.contains(one) ?? false);
      if (!own && boxes.some((text) => isOver(text, box))) found.add(`over a control: “${said}” on ${named(one)}`);
    }
  }
  for (const [place, one] of texts.entries()) {
    if (scrolled(one.holder)) continue;
    for (const other of texts.slice(place + 1)) {
      if (!scrolled(other.holder) && one.boxes.some((box) => other.boxes.some((its) => isOver(box, its)))) {
        found.add(`over each other: “${one.said}” and “${other.said}” in ${named(one.holder)}, ${named(other.holder)}`);
      }
    }
  }

  const { scrollWidth, scrollHeight } = document.documentElement;
  if (scrollWidth > innerWidth) found.add(`wider than its window by ${scrollWidth - innerWidth} px`);
  if (!scrolls && scrollHeight > innerHeight) found.add(`longer than its window by ${scrollHeight - innerHeight} px`);
  return [...found];
}
