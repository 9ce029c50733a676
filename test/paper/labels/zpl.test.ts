// ZPL contains only the commands of the writer; data cannot add any.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { crc16, crop, graphicField, toBlackAndWhite } from '../../../src/paper/labels/graphic-field.ts'
import { renderLabelsPdf, writeLabelsZpl } from '../../../src/paper/labels/label-file.ts'
import { locationLabel } from '../../../src/paper/labels/location-layout.ts'
import { palletLabel } from '../../../src/paper/labels/pallet-layout.ts'
import { productLabel } from '../../../src/paper/labels/product-layout.ts'
import { locations, pallets, products, whole } from '../../support/given-labels.ts'
import { pictureOfZpl, scan } from '../../support/label-pictures.ts'
import fc from '../../support/properties.ts'

/** Returns the names of the commands in ZPL, without their parameters. */
const commandsOf = (zpl: string) => zpl.match(/[\^~][A-Z0-9]{1,2}/g) ?? []
/** The commands that the writer uses. */
const knownCommands = new Set(
  '^XZ ^XA ^CI ^PW ^LL ^LH ^FO ^FT ^A0 ^FH ^FD ^FS ^GB ^GF ^BY ^BC ^BX ^BQ ^PQ'.split(' '),
)

const names = [
  '^XA',
  '^XZ^XA^FDx^FS',
  '~JA',
  '_7E',
  '_5EXZ',
  '\u0010^',
  'a\r\n~JR',
  '\ud800',
  '#import "x" $*_',
  'x'.repeat(120),
]

test('no name can send a command to a printer', async () => {
  for (const name of names) {
    const facts = { ...products.codeWithBatch!, name, clientName: name, batch: name }
    const label = whole(productLabel(facts, '100x50', 8))
    const zpl = (await writeLabelsZpl([label], 1)).toString()
    for (const command of commandsOf(zpl))
      assert.ok(knownCommands.has(command), `${command} by ${name.slice(0, 20)}`)
    const labels = commandsOf(zpl).filter(command => command === '^XA').length
    assert.deepEqual([labels, commandsOf(zpl).filter(c => c === '^PQ').length], [1, 1])
    const fields = commandsOf(zpl).filter(command => command === '^FS').length
    assert.equal(fields, label.elements.length, 'a field for each element, and no more')
  }
})

test('any text can be on a label in each format', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 120 })
  await fc.assert(
    fc.asyncProperty(text, async name => {
      const label = whole(productLabel({ ...products.dangerous!, name, clientName: name }, '60x40', 8))
      const zpl = (await writeLabelsZpl([label], 1)).toString()
      for (const command of commandsOf(zpl)) assert.ok(knownCommands.has(command), command)
      assert.equal((await renderLabelsPdf([label])).pages, 1)
    }),
    { numRuns: 40 },
  )
})

test('codes with special characters of ZPL are scanned unchanged', async () => {
  for (const code of [
    '12345',
    '123456A',
    'A^B~C_D',
    'A>B>88',
    '>:12',
    'a|@#$"\'\\&',
    '_5E',
    '~1',
    '||',
    '100%',
  ]) {
    for (const size of ['100x50', '50x25'] as const) {
      const label = whole(productLabel({ ...products.code!, code }, size, 8))
      const found = await scan(await pictureOfZpl(await writeLabelsZpl([label], 1), label))
      assert.deepEqual(
        found.map(result => result.text),
        [code],
      )
    }
    const label = whole(locationLabel({ ...locations.plain!, name: code }, '100x50', 8))
    const found = await scan(await pictureOfZpl(await writeLabelsZpl([label], 1), label))
    assert.deepEqual(
      found.map(result => result.text),
      [code, code],
    )
  }
})

test('a job ends a label left open by an earlier one, and contains the number of copies', async () => {
  const labels = ['plain', 'noSscc'].map(name => whole(palletLabel(pallets[name]!, '100x150', 8)))
  const zpl = (await writeLabelsZpl(labels, 3)).toString()
  assert.match(zpl, /^\^XZ\n\^XA\^CI28\^PW800\^LL1200\^LH0,0\n/)
  assert.equal(zpl.match(/\^PQ3\^XZ\n/g)?.length, 2)
  assert.ok(!zpl.includes('^GF'), 'native text is not sent as a picture')
})

test('a text that the font of printers cannot show becomes a picture', async () => {
  const label = whole(palletLabel(pallets.scripts!, '100x150', 8))
  const zpl = (await writeLabelsZpl([label], 1)).toString()
  assert.ok((zpl.match(/\^GFA/g) ?? []).length > 5)
  assert.equal((await writeLabelsZpl([label], 1)).toString(), zpl, 'the same label gives the same bytes')
})

test('a picture is compressed in the format that printers expect', () => {
  const grey = Uint8Array.from([
    0, 255, 0, 255, 255, 255, 255, 255, 255, 200, 255, 255, 255, 255, 255, 255, 0, 255,
  ])
  const picture = toBlackAndWhite(grey, 9, 2)
  assert.deepEqual([...picture.bits], [0b10100000, 0, 0b00000001, 0])
  const [, total, bytes, row, data = '', check = ''] =
    /^\^GFA,(\d+),(\d+),(\d+),:Z64:([^:]+):([0-9A-F]{4})$/.exec(graphicField(picture)) ?? []
  assert.deepEqual([total, bytes, row], ['4', '4', '2'])
  assert.deepEqual([...inflateSync(Buffer.from(data, 'base64'))], [...picture.bits])
  assert.equal(Number.parseInt(check, 16), crc16(data))
  assert.equal(crc16('123456789'), 0x31c3)
  assert.deepEqual(crop(picture, 0, 1), { width: 8, height: 1, bits: Buffer.from([0b10100000]) })
})
