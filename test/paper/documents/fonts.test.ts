import assert from 'node:assert/strict'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { readFonts } from '../../../src/paper/documents/fonts.ts'

test('Latin comes first, then the folder of further fonts, then other scripts, and symbols last', async () => {
  const own = readFonts()
  assert.equal(own.families[0], 'Noto Sans')
  assert.equal(own.families.at(-1), 'Libertinus Serif')
  assert.ok(own.families.indexOf('Noto Sans S Chinese') > own.families.indexOf('Noto Sans Thai'))

  const folder = await mkdtemp(join(tmpdir(), 'fonts-'))
  const thai = dirname(
    createRequire(import.meta.url).resolve('@expo-google-fonts/noto-sans-thai/package.json'),
  )
  await cp(join(thai, '400Regular'), folder, { recursive: true })
  try {
    const { families, files } = readFonts(folder)
    assert.equal(families[1], 'Noto Sans Thai')
    assert.equal(files.length, own.files.length + 1)
    assert.equal(families.length, own.families.length)
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('a font that cannot be read or a missing folder leaves the other fonts available', async () => {
  const own = readFonts()
  const folder = await mkdtemp(join(tmpdir(), 'fonts-'))
  try {
    await writeFile(join(folder, 'empty.ttf'), '')
    await writeFile(join(folder, 'text.otf'), 'This is not a font, whatever its name says. '.repeat(50))
    const path = join(folder, 'cut.ttf')
    await writeFile(path, (own.files[0] as Buffer).subarray(0, 400))
    assert.deepEqual(readFonts(folder).families, own.families)
    assert.equal(readFonts(folder).files.length, own.files.length)
  } finally {
    await rm(folder, { recursive: true })
  }
  assert.deepEqual(readFonts(folder).families, own.families)
})
