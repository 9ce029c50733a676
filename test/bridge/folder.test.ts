// The folder driver: a file for each job, and pictures of ZPL labels.

import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { DeliveryOutcome, DeliverySteps, Job } from '../../bridge/src/driver.ts'
import { folderPrinter } from '../../bridge/src/folder.ts'
import { writeLabelsZpl } from '../../src/paper/labels/label-file.ts'
import { palletLabel } from '../../src/paper/labels/pallet-layout.ts'
import { pallets, whole } from '../support/given-labels.ts'
import { pictureOf, scan } from '../support/label-pictures.ts'

const folder = await mkdtemp(join(tmpdir(), 'waybill-printed-'))
after(() => rm(folder, { recursive: true }))

let printed = 0

/** Prints into a folder of its own. Returns the outcome and the files in the folder. */
async function print(change: Partial<Job>, dotsPerMM?: number) {
  const path = join(folder, String(++printed))
  const job: Job = {
    ...{ printJobId: '0197e1c6-5a5e-7c1e-9d3a-000000000001', leaseNumber: 1, name: 'Pallet LU-000123' },
    ...{
      contentType: 'application/zpl',
      content: Buffer.from(''),
      copies: 1,
      orientation: null,
      media: null,
    },
    ...change,
  }
  const steps: DeliverySteps = { beginSending: async () => {}, finishSending: async () => {} }
  const outcome: DeliveryOutcome = await folderPrinter(path, dotsPerMM).print(job, steps)
  const files = (await readdir(path)).toSorted()
  return { outcome, files, read: (file: string) => readFile(join(path, file)) }
}

const pallet = (name: string, dotsPerMM: number) => {
  const facts = pallets[name] as NonNullable<(typeof pallets)['plain']>
  return whole(palletLabel(facts, '100x150', dotsPerMM))
}

for (const dotsPerMM of [8, 12]) {
  test(`a ZPL label gets a picture in the size that a printer of ${dotsPerMM} dots per mm prints`, async () => {
    const label = pallet('plain', dotsPerMM)
    const { outcome, files, read } = await print({ content: await writeLabelsZpl([label], 1) }, dotsPerMM)
    assert.deepEqual(outcome, { kind: 'printed' })
    assert.deepEqual(files, ['Pallet LU-000123 000000000001-1.png', 'Pallet LU-000123 000000000001-1.zpl'])
    const picture = await pictureOf(await read(files[0] as string))
    assert.deepEqual([picture.width, picture.height], [label.width * dotsPerMM, label.height * dotsPerMM])
    const codes = label.elements.flatMap(element => (element.kind === 'barcode' ? [element.data] : []))
    assert.deepEqual((await scan(picture)).map(({ text }) => text).toSorted(), codes.toSorted())
  })
}

test('the first ten labels of a job get pictures', async () => {
  const labels = Array.from({ length: 12 }, () => pallet('noSscc', 8))
  const { files } = await print({ content: await writeLabelsZpl(labels, 1) })
  assert.equal(files.filter(file => file.endsWith('.png')).length, 10)
  assert.ok(files.includes('Pallet LU-000123 000000000001-1 10.png'), files.join())
  assert.equal(files.filter(file => file.endsWith('.zpl')).length, 1)
})

test('a label that is too large for a picture is printed without one', async () => {
  const { outcome, files } = await print({ content: Buffer.from('^XA^PW99999999^LL99999999^FDx^FS^XZ') })
  const message = 'There is no picture of it: the label is too large.'
  assert.deepEqual(outcome, { kind: 'printed', message })
  assert.deepEqual(files, ['Pallet LU-000123 000000000001-1.zpl'])
})

test('a document becomes a PDF file without a picture', async () => {
  const content = Buffer.from('%PDF paper')
  const { outcome, files, read } = await print({ contentType: 'application/pdf', content, copies: 2 })
  assert.deepEqual(outcome, { kind: 'printed' })
  assert.deepEqual(files, ['Pallet LU-000123 2x 000000000001-1.pdf'])
  assert.deepEqual(await read(files[0] as string), content)
})
