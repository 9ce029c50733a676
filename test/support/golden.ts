// Golden files: reviewed outputs that tests compare with. `npm run goldens` writes them anew, and the
// differences must then be reviewed.

import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { type Picture, pngOf } from './pdf.ts'

/** Whether golden files are written instead of compared. */
export const isUpdating = process.env.UPDATE_GOLDENS === '1'

/** Fails unless the lines are equal to those of a golden file. */
export async function assertMatchesGolden(file: URL, lines: readonly string[]): Promise<void> {
  const actual = `${lines.join('\n')}\n`
  if (isUpdating) return writeFile(file, actual)
  assert.deepEqual(actual.split('\n'), (await readFile(file, 'utf8')).split('\n'))
}

// A pixel of a letter may be slightly darker on another machine.
const maxShadeDifference = 48
const maxDifferentShare = 0.001

const pixelsOf = async (png: Buffer) => sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true })

/** Fails unless a picture looks like a golden file. The different picture is saved for inspection. */
export async function assertLooksLikeGolden(file: URL, picture: Picture): Promise<void> {
  const png = await pngOf(picture)
  if (isUpdating) return writeFile(file, png)
  const [golden, actual] = [await pixelsOf(await readFile(file)), await pixelsOf(png)]
  assert.deepEqual([golden.info.width, golden.info.height], [actual.info.width, actual.info.height])
  let different = 0
  for (let i = 0; i < actual.data.length; i += 4)
    if (Math.abs((golden.data[i] as number) - (actual.data[i] as number)) > maxShadeDifference) different++
  const share = different / (actual.info.width * actual.info.height)
  if (share <= maxDifferentShare) return
  const saved = join(tmpdir(), `actual-${basename(fileURLToPath(file))}`)
  await writeFile(saved, png)
  assert.fail(`${(share * 100).toFixed(2)} % of the pixels differ; see ${saved}.`)
}
