/** What is run in the page before its own scripts. It notes when cards first show, keys, and frames. */
export const PAGE_WATCH = `(() => {
  const watch = (window.benchWatch = { first: null, keys: [], frames: [], isCounting: false });
  const look = () => {
    if (watch.first === null && document.querySelector('[role=listitem][data-thread-id]'))
      requestAnimationFrame(() => (watch.first ??= performance.now()));
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true });
  // Two frames after a key, what it does is on the screen.
  addEventListener('keydown', ({ timeStamp }) =>
    requestAnimationFrame(() => requestAnimationFrame(() => watch.keys.push(performance.now() - timeStamp))), true);
  let last = performance.now();
  const frame = (now) => {
    if (watch.isCounting) watch.frames.push(now - last);
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
})()`;

/** Resolves to the milliseconds until a condition holds in a frame of the page. @param condition an expression */
export const untilInPage = (act: string, condition: string): string => `new Promise((resolve, reject) => {
  const begun = performance.now();
  ${act};
  const look = () => {
    if (${condition}) requestAnimationFrame(() => resolve(performance.now() - begun));
    else if (performance.now() - begun > 20000) reject(new Error('not within 20 s'));
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})`;

/** Resolves to a value as soon as it is not null. @param value an expression */
export const untilKnown = (value: string): string => `new Promise((resolve) => {
  const look = () => (${value} === null ? requestAnimationFrame(look) : resolve(${value}));
  look();
})`;

/** Chooses a value as a person does, in a way that React hears. @param label of a select that is shown */
export const choose = (label: string, value: string): string => `
  const label = [...document.querySelectorAll('label')].find((each) => each.textContent === '${label}');
  const select = document.getElementById(label.htmlFor);
  Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value').set.call(select, '${value}');
  select.dispatchEvent(new Event('change', { bubbles: true }))`;
