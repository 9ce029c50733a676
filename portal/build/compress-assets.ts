// Writes a .br and a .gz beside every script and style, so that the service compresses nothing while it runs.

import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

/** The plugin. Fonts and pictures are compressed already. */
export const compressAssets = (): Plugin => ({
  name: 'compress-assets',
  apply: 'build',
  async writeBundle({ dir = 'dist' }) {
    const assets = join(dir, 'assets')
    const names = (await readdir(assets)).filter(name => /\.(js|css|svg)$/.test(name))
    await Promise.all(
      names.map(async name => {
        const path = join(assets, name)
        const text = await readFile(path)
        // The best quality would take as long as the rest of the build, for three per cent.
        const [brotli, gzipped] = await Promise.all([
          promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
          promisify(gzip)(text, { level: 9 }),
        ])
        await Promise.all([writeFile(`${path}.br`, brotli), writeFile(`${path}.gz`, gzipped)])
      }),
    )
  },
})
