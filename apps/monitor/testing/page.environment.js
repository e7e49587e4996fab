const { TestEnvironment } = require('jest-environment-jsdom');

/** Of Node, as browsers have them and jsdom has not. */
const OF_NODE = [
  ...['Response', 'Headers', 'FormData', 'AbortController', 'AbortSignal', 'Blob', 'File'],
  ...[
    'BroadcastChannel',
    'TextEncoder',
    'TextDecoder',
    'structuredClone',
    'ReadableStream',
    'TransformStream',
  ],
];

const ADDRESS = 'http://page.test/';

/** Node's takes whole addresses alone. */
class PageRequest extends Request {
  constructor(input, init) {
    super(typeof input === 'string' ? new URL(input, ADDRESS).href : input, init);
  }
}

/** A browser without a screen: what the page asks of one is answered as by a wide window. */
module.exports = class PageEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(
      { ...config, projectConfig: { ...config.projectConfig, testEnvironmentOptions: { url: ADDRESS } } },
      context,
    );
    const { global: window } = this;
    for (const name of OF_NODE) window[name] = globalThis[name];
    window.Request = PageRequest;
    window.matchMedia = (media) => Object.assign(new window.EventTarget(), { media, matches: false });
    window.ResizeObserver = class {
      observe() {}
      unobserve() {}
      disconnect() {}
    };
    window.IntersectionObserver = class {
      constructor(tell) {
        this.tell = tell;
      }
      // Everything is in view.
      observe(target) {
        this.tell([{ target, isIntersecting: true }], this);
      }
      unobserve() {}
      disconnect() {}
    };
    window.scrollTo = () => {};
    window.CSS = { escape: String };
    const { prototype } = window.HTMLElement;
    Object.assign(prototype, { scrollIntoView() {}, scrollTo() {}, scrollBy() {} });
    Object.assign(prototype, { animate: () => ({ finished: Promise.resolve(), cancel() {}, finish() {} }) });
  }

  /** As the bundle of the page has them, not as jsdom would: there is no module of browsers here. */
  exportConditions() {
    return ['require', 'default'];
  }
};
