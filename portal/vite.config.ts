// How the portal is built: one page, its chunks with hashed names, compressed beside themselves, and the list
// of the page's addresses for the service.

import optimizeLocales from '@react-aria/optimize-locales-plugin'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressAssets } from './build/compress-assets.ts'
import { listPages } from './build/list-pages.ts'

// The service that `npm run portal` passes requests on to.
const service = 'http://localhost:8080'
const passedOn = { target: service, changeOrigin: true, headers: { origin: service } }

export default defineConfig({
  plugins: [
    { ...optimizeLocales.vite({ locales: ['en-GB', 'en-US'] }), enforce: 'pre' },
    react(),
    listPages(),
    compressAssets(),
  ],
  build: {
    // The policy forbids data URLs for fonts, and the page loads nothing but files.
    assetsInlineLimit: 0,
    // Browsers that know light-dark(), with which tokens.css gives each colour once.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // What lists have, and what that needs, is one file of the first load: apart it is compressed less well.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'list', test: /\/frame\/Listing\.tsx$/ }] } },
    },
  },
  server: {
    port: 5173,
    proxy: { '/v1': passedOn, '/connect': passedOn, '/docs': passedOn, '/openapi.json': passedOn },
  },
})
