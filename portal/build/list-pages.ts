// Writes dist/pages.json: the addresses of the portal, so that the service knows which of them exist.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/** The plugin. Node.js loads the contents page itself; the screens in it are loaded only by the browser. */
export const listPages = (): Plugin => ({
  name: 'list-pages',
  apply: 'build',
  async writeBundle({ dir = 'dist' }) {
    const contents = new URL('../src/routes.ts', import.meta.url).href
    const { pages } = (await import(contents)) as { pages: readonly { path: string }[] }
    const paths = pages.map(({ path }) => path.replaceAll('$', ':'))
    await writeFile(join(dir, 'pages.json'), `${JSON.stringify(paths, null, 2)}\n`)
  },
})
