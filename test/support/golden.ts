// Goldens: what something was when somebody last looked at it, kept as lines of text. `npm run goldens` makes
// them anew; the difference is then for people to look at.

import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { type Picture, pngOf } from './pdf.ts'

/** Goldens are written and not compared. */
export const isRenewing = process.env.UPDATE_GOLDENS === '1'

/** Fails unless the lines are those of a file. */
export async function sameAsGolden(file: URL, lines: readonly string[]): Promise<void> {
  const seen = `${lines.join('\n')}\n`
  if (isRenewing) return writeFile(file, seen)
  assert.deepEqual(seen.split('\n'), (await readFile(file, 'utf8')).split('\n'))
}

// A dot of a letter may be a shade darker on another machine.
const sameShade = 48
const maxDifferent = 0.001

const dotsOf = async (png: Buffer) => sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true })

/** Fails unless a picture looks like that in a file; what was seen is kept then, to be looked at. */
export async function looksLikeGolden(file: URL, picture: Picture): Promise<void> {
  const png = await pngOf(picture)
  if (isRenewing) return writeFile(file, png)
  const [golden, seen] = [await dotsOf(await readFile(file)), await dotsOf(png)]
  assert.deepEqual([golden.info.width, golden.info.height], [seen.info.width, seen.info.height])
  let different = 0
  for (let i = 0; i < seen.data.length; i += 4)
    if (Math.abs((golden.data[i] as number) - (seen.data[i] as number)) > sameShade) different++
  const share = different / (seen.info.width * seen.info.height)
  if (share <= maxDifferent) return
  const kept = join(tmpdir(), `seen-${basename(fileURLToPath(file))}`)
  await writeFile(kept, png)
  assert.fail(`${(share * 100).toFixed(2)} % look different; ${kept} has what was seen.`)
}
