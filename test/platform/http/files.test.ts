// Uploaded files: base64, types, names, download headers. Spec 2.1.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { parse } from 'content-disposition'
import {
  checkFile,
  contentDisposition,
  decodeBase64,
  maxFileBytes,
} from '../../../src/platform/http/files.ts'
import fc from '../../support/properties.ts'

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')
const png = hex(
  '89504e470d0a1a0a 0000000d49484452 0000000100000001 0806000000 1f15c489 0000000a49444154 789c63000100000500010d0a2db4 0000000049454e44ae426082',
)
const oldOffice = Buffer.concat([hex('d0cf11e0a1b11ae1'), Buffer.alloc(600)])

/** A ZIP with uncompressed entries and no directory, which is enough for the detection. */
function zip(entries: Record<string, string>): Buffer {
  return Buffer.concat(
    Object.entries(entries).map(([name, text]) => {
      const head = Buffer.alloc(30)
      head.write('PK\x03\x04', 'latin1')
      head.writeUInt32LE(text.length, 18)
      head.writeUInt32LE(text.length, 22)
      head.writeUInt16LE(name.length, 26)
      return Buffer.concat([head, Buffer.from(name + text)])
    }),
  )
}

function openXml(part: string): Buffer {
  return zip({
    '[Content_Types].xml': `<Types><Override PartName="/x.xml" ContentType="application/vnd.openxmlformats-officedocument.${part}.main+xml"/></Types>`,
  })
}

const openXmlType = 'application/vnd.openxmlformats-officedocument.'
const samples: [string, Buffer][] = [
  ['application/pdf', Buffer.from('%PDF-1.7\n%\u00e2\u00e3\n1 0 obj\n')],
  ['image/png', png],
  ['image/jpeg', hex('ffd8ffe0 00104a46494600010100000100010000 ffdb')],
  ['image/gif', Buffer.concat([Buffer.from('GIF89a'), hex('01000100800000ffffff000000')])],
  [
    'image/webp',
    Buffer.concat([Buffer.from('RIFF'), hex('24000000'), Buffer.from('WEBPVP8 '), Buffer.alloc(24)]),
  ],
  ['image/tiff', hex('49492a00 08000000 0100 0001 0300 01000000 01000000 00000000')],
  ['application/zip', zip({ 'labels/1.txt': 'hello' })],
  [`${openXmlType}wordprocessingml.document`, openXml('wordprocessingml.document')],
  [`${openXmlType}spreadsheetml.sheet`, openXml('spreadsheetml.sheet')],
  [`${openXmlType}presentationml.presentation`, openXml('presentationml.presentation')],
  ['application/vnd.oasis.opendocument.text', zip({ mimetype: 'application/vnd.oasis.opendocument.text' })],
  ['application/msword', oldOffice],
  ['text/plain', Buffer.from('BMW, GIF and %PDF are words.\r\nSo is Zürich.\t\n')],
  ['text/csv', Buffer.from('Gr\xf6\xdfe;1\r\n', 'latin1')],
]

/** Checks a file, and returns it or the messages of its faults. */
async function check(contentType: string, content: Buffer | string, fileName = 'a.bin', only?: 'image') {
  const checked = await checkFile(
    { fileName, contentType, content: typeof content === 'string' ? content : content.toString('base64') },
    'pods[0].file',
    only,
  )
  return 'file' in checked ? checked : { ...checked, faults: checked.faults.map(({ message }) => message) }
}

test('every allowed type is accepted if content and declaration agree', async () => {
  for (const [type, bytes] of samples) {
    const checked = await check(type, bytes)
    assert.ok('file' in checked, `${type}: ${JSON.stringify(checked)}`)
    assert.deepEqual([checked.file.contentType, checked.file.bytes.equals(bytes)], [type, true])
  }
})

test('a TIFF with its directory at the end is recognised', async () => {
  const bytes = Buffer.concat([
    hex('49492a00 00001000'),
    Buffer.alloc(1024 * 1024 - 8, 1),
    hex('0100 0001 0300 01000000 01000000 00000000'),
  ])
  assert.ok('file' in (await check('image/tiff', bytes)))
})

test('content of one type is refused if another type is declared', async () => {
  const binaries = samples.filter(([type]) => !type.startsWith('text/'))
  const isZip = (type: string) =>
    type === 'application/zip' || type.includes('opendocument') || type.includes('openxml')
  for (const [declared] of samples) {
    for (const [actual, bytes] of binaries) {
      if (declared === actual || (isZip(declared) && isZip(actual))) continue
      const checked = await check(declared, bytes)
      assert.ok('faults' in checked && checked.invalidContent, `${actual} passed as ${declared}`)
      assert.deepEqual(checked.faults, [
        `pods[0].file.content is not what pods[0].file.contentType says (${declared}).`,
      ])
    }
  }
  assert.ok(
    'faults' in (await check(`${openXmlType}wordprocessingml.document`, openXml('spreadsheetml.sheet'))),
  )
})

test('declared types are normalised: case, parameters and known synonyms', async () => {
  for (const [declared, type, bytes] of [
    ['Text/Plain; charset=utf-8', 'text/plain', Buffer.from('x')],
    ['IMAGE/PNG', 'image/png', png],
    ['image/jpg', 'image/jpeg', samples[2]![1]],
    ['application/x-zip-compressed', 'application/zip', zip({ a: 'b' })],
  ] as const) {
    const checked = await check(declared, bytes)
    assert.equal('file' in checked && checked.file.contentType, type)
  }
})

test('types that are not allowed are refused by name, whatever the content', async () => {
  for (const type of [
    'text/html',
    'image/svg+xml',
    'application/javascript',
    'application/x-msdownload',
    '',
    'constructor',
    '__proto__',
    'image/constructor',
    ';',
    'x'.repeat(10_000),
  ]) {
    const checked = await check(type, png)
    assert.ok('faults' in checked && !checked.invalidContent, type)
    assert.match(checked.faults[0] ?? '', /^pods\[0\]\.file\.contentType must be PDF, /)
  }
})

test('nothing but an image is accepted if only images are allowed', async () => {
  assert.ok('file' in (await check('image/png', png, 'logo.png', 'image')))
  for (const type of ['application/pdf', 'text/plain', 'image/svg+xml', 'image/']) {
    const checked = await check(type, png, 'logo.png', 'image')
    assert.deepEqual('faults' in checked && checked.faults, [
      'pods[0].file.contentType must be an image type.',
    ])
  }
})

test('text must be free of control bytes and must not be UTF-16', async () => {
  for (const bytes of [
    Buffer.from('a\0b'),
    Buffer.from('\u001b[31m'),
    Buffer.from('abc', 'utf16le'),
    Buffer.from([0x08]),
  ]) {
    assert.ok('faults' in (await check('text/plain', bytes)))
  }
  assert.ok('file' in (await check('text/plain', Buffer.from('\ufeffwith mark\f'))))
})

test('a text that begins like another format is not accepted as text', async () => {
  const formats = [
    '%PDF-1.4\n1 0 obj',
    '\n%PDF-1.4\n',
    '{\\rtf1\\ansi Hello}',
    '%!PS-Adobe-3.0\n%%BoundingBox: 0 0 1 1',
    'GIF89a=1;alert(1)',
    '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>',
    '\ufeff<?xml version="1.0"?><a/>',
    '<svg onload="alert(1)">',
    '\n <!DOCTYPE html><p>Hello',
    '<HTML><script>alert(1)</script>',
  ]
  for (const type of ['text/plain', 'text/csv']) {
    for (const text of formats) {
      const checked = await check(type, Buffer.from(text))
      assert.deepEqual(
        'faults' in checked && checked.faults,
        [`pods[0].file.content is not what pods[0].file.contentType says (${type}).`],
        text,
      )
    }
  }
})

test('a text whose first letters happen to be a signature is still text', async () => {
  const texts = [
    'BM;Baumarkt;1',
    'MZ-500 crates',
    'GIF files are attached',
    'Get free samples',
    'solid pallets only',
    'AC1015 filters',
    'II',
    'ID3;4',
    '<2 kg>',
    '<xmas>',
    '% of PDF-A',
    '{"a":1}',
    'G'.repeat(400),
    'FORM 12',
    'BZh9',
    'BEGIN:VCARD',
    '#!',
    'See <html> below',
  ]
  for (const text of texts) assert.ok('file' in (await check('text/csv', Buffer.from(text))), text)
})

test('a file of 10 MiB is accepted; a larger one and an empty one are refused', async () => {
  assert.ok('file' in (await check('text/plain', Buffer.alloc(maxFileBytes, 'a'))))
  for (const size of [maxFileBytes + 1, maxFileBytes + 2, maxFileBytes + 3, 2 * maxFileBytes]) {
    const checked = await check('text/plain', Buffer.alloc(size, 'a'))
    assert.deepEqual(checked, {
      faults: ['pods[0].file.content must not be larger than 10 MiB.'],
      invalidContent: true,
    })
  }
  assert.deepEqual(await check('text/plain', ''), {
    faults: ['pods[0].file.content must not be empty.'],
    invalidContent: true,
  })
})

test('all faults of a file are reported together', async () => {
  const checked = await check('text/html', '%%%not base64%%%', '../etc/passwd')
  assert.ok('faults' in checked && checked.invalidContent)
  assert.equal(checked.faults.length, 3)
  for (const fault of checked.faults)
    assert.match(fault, /^pods\[0\]\.file\.(?:fileName|contentType|content) must .*\.$/)
})

test('bad file names are refused, not changed', async () => {
  const bad = [
    '',
    '   ',
    '.',
    '..',
    'a/b.pdf',
    'a\\b.pdf',
    'a\0.pdf',
    'a\r\nX: y.pdf',
    'a\u0085.pdf',
    '\u202efdp.exe',
    'lone \ud800.pdf',
    'x'.repeat(201),
  ]
  for (const name of bad) {
    const checked = await check('image/png', png, name)
    assert.ok(
      'faults' in checked && !checked.invalidContent && checked.faults.length === 1,
      JSON.stringify(name),
    )
  }
  for (const name of [
    'a',
    'x'.repeat(200),
    'Lieferschein Nr. 7 (Kopie).pdf',
    '送り状.pdf',
    'наклейка🚚.png',
    '"quoted"; x=y.png',
    '..hidden',
  ]) {
    assert.ok('file' in (await check('image/png', png, name)), name)
  }
})

test('base64 decodes to what was encoded, and is refused if one character is wrong', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), bytes => {
      assert.deepEqual(decodeBase64(Buffer.from(bytes).toString('base64')), Buffer.from(bytes))
    }),
  )
  const notAlphabet = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 1 })
    .filter(char => !/^[A-Za-z0-9+/]$/.test(char))
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 3, maxLength: 60 }), notAlphabet, fc.nat(), (bytes, char, at) => {
      const text = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 3))).toString('base64')
      const place = at % text.length
      // At the end, the character could be the padding of shorter content.
      if (char === '=' && place === text.length - 1) return
      assert.equal(decodeBase64(text.slice(0, place) + char + text.slice(place + 1)), null)
    }),
  )
})

test('other variants of base64 are refused', () => {
  for (const text of [
    'QUJD\n',
    ' QUJD',
    'QUJD QUJD',
    'QUI',
    'QUI==',
    'QQ=',
    'QQ',
    'Q',
    '=',
    '====',
    'QQ==QQ==',
    'QUJ-',
    'QUJ_',
    'QR==',
    'data:;base64,QUJD',
    'QUJŁ',
    'QQ＝＝',
  ]) {
    assert.equal(decodeBase64(text), null, text)
  }
  assert.deepEqual(decodeBase64(''), Buffer.alloc(0))
})

test('no content causes more than a fault', async () => {
  const beginning = fc.constantFrom(
    ...samples.map(([, bytes]) => bytes.toString('base64')),
    Buffer.from('ID3').toString('base64'),
    'AAAA',
  )
  const type = fc.constantFrom(...samples.map(([type]) => type))
  await fc.assert(
    fc.asyncProperty(
      type,
      beginning,
      fc.uint8Array({ maxLength: 200 }),
      fc.string(),
      async (contentType, head, tail, fileName) => {
        const content = Buffer.concat([Buffer.from(head, 'base64'), tail]).toString('base64')
        const checked = await checkFile({ fileName, contentType, content }, 'file')
        if ('faults' in checked) assert.ok(checked.faults.length > 0)
      },
    ),
    { numRuns: 300 },
  )
})

test('a zip bomb is not decompressed', async () => {
  const packed = deflateRawSync(Buffer.alloc(100_000_000))
  const bomb = zip({ '[Content_Types].xml': packed.toString('latin1') })
  bomb.writeUInt16LE(8, 8)
  const before = process.memoryUsage().arrayBuffers
  await check('application/zip', Buffer.concat([bomb.subarray(0, 49), packed]))
  assert.ok(process.memoryUsage().arrayBuffers - before < 20_000_000)
})

test('a download is saved under its own name', () => {
  assert.equal(contentDisposition('label.pdf'), 'attachment; filename=label.pdf')
  assert.equal(
    contentDisposition('Größe "7" 100%.pdf'),
    `attachment; filename="Gr??e \\"7\\" 100%.pdf"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%227%22%20100%25.pdf`,
  )
  assert.equal(contentDisposition("it's (1)*.txt"), `attachment; filename="it's (1)*.txt"`)
})

test('no name breaks the download header, and the name can be read back from it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), (odd, name) => {
      for (const text of [odd, name, `${odd}\r\nSet-Cookie: a=b`, `${name}\ud800`]) {
        const header = contentDisposition(text)
        assert.match(header, /^[ -~]*$/)
        const { type, parameters } = parse(header)
        assert.equal(type, 'attachment')
        assert.equal(parameters.filename, text.toWellFormed().replace(/\p{Cc}/gu, ''))
      }
    }),
  )
})
