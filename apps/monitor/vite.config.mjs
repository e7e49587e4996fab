import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

/** In development the page is served by Vite, and what it asks goes to a server that runs: `npm start` in another terminal. */
const SERVER = `http://localhost:${process.env.PORT ?? 3000}`;

/** A list of the page's files, which the page has the browser keep. Its name stands in the document. */
const partList = {
  name: 'part-list',
  generateBundle(_, bundle) {
    const files = Object.keys(bundle).filter((name) => /\.(css|js)$/.test(name));
    const source = JSON.stringify(files.map((name) => `/${name}`));
    this.emitFile({ type: 'asset', name: 'parts.json', source });
  },
  transformIndexHtml: {
    order: 'post',
    handler(_, { bundle }) {
      const list = Object.keys(bundle ?? {}).find((name) => /parts-[^/]*\.json$/.test(name));
      const attrs = { name: 'parts', content: `/${list}` };
      return list ? [{ tag: 'meta', attrs, injectTo: 'head' }] : [];
    },
  },
};

export default defineConfig({
  root: at('.'),
  plugins: [partList],
  resolve: {
    alias: [
      { find: /^@app\/client\//, replacement: at('../../libs/client/src/') },
      { find: /^@app\/contracts\//, replacement: at('../../libs/contracts/src/') },
    ],
  },
  build: {
    outDir: at('../../dist/monitor'),
    emptyOutDir: true,
    target: 'es2022',
    // Named by their content: what has a name never changes.
    assetsDir: 'assets',
    assetsInlineLimit: 0,
    // A part whose style failed to load would be drawn without it. All of them are 40 kB compressed.
    cssCodeSplit: false,
    manifest: true,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // Libraries mark what runs in browsers for servers that draw pages. Ours draws none.
      onLog: (level, log, report) => log.code === 'MODULE_LEVEL_DIRECTIVE' || report(level, log),
    },
  },
  server: {
    proxy: {
      // Objects, not the short form, which would change Host: the server compares it with the Origin.
      '/api': { target: SERVER },
      '/socket.io': { target: SERVER, ws: true },
    },
  },
});
