// Files that want more than a service can give: they are refused, and nobody else waits for them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { hashPassword, matchesPassword } from '../../../src/oauth/passwords.ts'
import { convertForPrinter } from '../../../src/paper/attached-files/convert-for-printer.ts'
import { Refusal } from '../../../src/platform/http/refusal.ts'
import { openRenderer } from '../../../src/platform/renderer/renderer.ts'
import { pdfOfHugePicture } from '../../support/harmful-files.ts'
import { atEnd } from '../../support/test-database.ts'

const office = { type: 2, language: 1, dotsPerMM: null } as const
const zplPrinter = { type: 1, language: 2, dotsPerMM: 8 } as const
const renderer = openRenderer({ maxMs: 120_000, maxWaitMs: 600_000, maxStartMs: 120_000 })
atEnd(() => renderer.close())

const square = (side: number) =>
  sharp({ create: { width: side, height: side, channels: 3, background: 'navy' } })
    .png()
    .toBuffer()
const picture = (bytes: Buffer) => ({ fileName: 'photo.png', contentType: 'image/png', bytes })

test('a small PDF that would take gigabytes on a ZPL printer is refused (422)', async () => {
  const bytes = pdfOfHugePicture()
  assert.ok(bytes.length < 10_000)
  const file = { fileName: 'label.pdf', contentType: 'application/pdf', bytes }
  await assert.rejects(convertForPrinter(file, zplPrinter, null), (error: Refusal) => {
    assert.equal(error.status, 422)
    assert.match(error.messages.join(), /^The file label\.pdf cannot be printed: .* memory\.$/)
    return true
  })
})

test('a picture of more than 25 megapixels is refused before it is decoded', async () => {
  await assert.rejects(convertForPrinter(picture(await square(5_100)), office, null), (error: Refusal) => {
    assert.equal(error.status, 400)
    assert.match(error.messages.join(), /must not have more than 25 megapixels/)
    return error instanceof Refusal
  })
})

test('people sign in while many large pictures are printed', async () => {
  const bytes = await square(4_900)
  const hash = await hashPassword('correct horse battery', 'depot')
  let printed = 0
  const pictures = Array.from({ length: 16 }, async (_, n) => {
    await convertForPrinter(picture(bytes), office, null, `organisation ${n}`)
    printed++
  })
  for (let n = 0; n < 5; n++) assert.ok(await matchesPassword('correct horse battery', hash, 'depot'))
  assert.ok(printed <= 8, `${printed} pictures came before five people`)
  await Promise.all(pictures)
})
