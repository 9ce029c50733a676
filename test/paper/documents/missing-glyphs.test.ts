import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  documentJson,
  parseMissingCharacters,
  replaceWithCodes,
  toCodePoints,
} from '../../../src/paper/documents/missing-glyphs.ts'

const diagnostic = (text: string) =>
  `SourceDiagnostic { message: "PDF/UA-1 error: the text \`\\"${text}\\"\` could not be displayed with font" }`

test('a character is replaced by its code point', () => {
  assert.equal(toCodePoints('😀'), '⟨U+1F600⟩')
  assert.equal(toCodePoints('\u0007'), '⟨U+0007⟩')
})

test('missing characters are found in the messages of the exporter, even if escaped', () => {
  assert.deepEqual(
    parseMissingCharacters(`[${diagnostic('👨')}, ${diagnostic('\\\\u{200d}')}, ${diagnostic('👨')}]`),
    ['👨', '\u200d'],
  )
  assert.deepEqual(parseMissingCharacters('cannot divide by zero'), [])
})

test('common letters next to a missing character are kept, unless nothing else is missing', () => {
  const data = documentJson(['e\u{1d165} e', '👩'])
  assert.deepEqual(JSON.parse(replaceWithCodes(data, ['e', '\u{1d165}', '👩'])), [
    'e⟨U+1D165⟩ e',
    '⟨U+1F469⟩',
  ])
  assert.deepEqual(JSON.parse(replaceWithCodes(data, ['e'])), ['e⟨U+1D165⟩ e', '⟨U+1F469⟩'])
})

test('the JSON of a document has no unprintable characters', () => {
  assert.deepEqual(JSON.parse(documentJson({ a: 'x\ud800y', b: 'one\r\ntwo\tthree', c: '\u0000' })), {
    a: 'x\ufffdy',
    b: 'one\ntwo    three',
    c: '⟨U+0000⟩',
  })
})
