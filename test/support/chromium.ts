// A real browser for tests: the Chromium that an npm package contains, or the one at CHROMIUM_PATH.

import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from 'playwright-core'

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Whether there is a browser for this machine; the package has one for Linux on x64. */
export const hasChromium =
  process.env.CHROMIUM_PATH !== undefined || (process.platform === 'linux' && process.arch === 'x64')

/** Starts the browser. The caller closes it. */
export async function launchChromium(): Promise<Browser> {
  const named = process.env.CHROMIUM_PATH
  if (named !== undefined) return chromium.launch({ executablePath: named, args: flags })
  const folder = await unpacked()
  // Without fonts the browser does not even accept typed text; the package's own font configuration names
  // other folders.
  const fonts = join(folder, 'fonts.conf')
  const wanted = `<fontconfig><dir>${join(folder, 'fonts')}</dir><cachedir>${join(folder, 'fonts-cache')}</cachedir></fontconfig>`
  if ((await readFile(fonts, 'utf8').catch(() => '')) !== wanted) {
    // Whole or not at all, because another process may start a browser meanwhile.
    const draft = `${fonts}.${process.pid}`
    await writeFile(draft, wanted)
    await rename(draft, fonts)
  }
  // Shared libraries that the browser needs and a bare machine lacks.
  const env = { ...process.env, LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'), FONTCONFIG_FILE: fonts }
  return chromium.launch({ executablePath: join(folder, 'chromium'), args: flags, env })
}

/** Returns the folder with the package's browser, libraries and fonts, which are unpacked once. */
async function unpacked(): Promise<string> {
  const { inflate } = await import('@sparticuz/chromium')
  const packed = fileURLToPath(new URL('../bin', import.meta.resolve('@sparticuz/chromium')))
  const cache = fileURLToPath(new URL('../../node_modules/.cache/chromium', import.meta.url))
  if ((await readdir(cache).catch(() => [])).length > 0) return cache
  // The package unpacks to the folder for temporary files, and assumes that existing files there are
  // complete.
  const draft = `${cache}.${process.pid}`
  const before = process.env.TMPDIR
  await mkdir(draft, { recursive: true })
  process.env.TMPDIR = draft
  try {
    if (tmpdir() !== draft) throw new Error('The folder for temporary files cannot be chosen.')
    await Promise.all(
      ['chromium.br', 'fonts.tar.br', 'al2023.tar.br'].map(name => inflate(join(packed, name))),
    )
    await rename(draft, cache)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if ((await readdir(cache).catch(() => [])).length === 0) throw error
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
  return cache
}
