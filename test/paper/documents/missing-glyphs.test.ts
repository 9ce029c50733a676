import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codesFor, documentJson, missingIn, withCodes } from '../../../src/paper/documents/missing-glyphs.ts'

const said = (text: string) =>
  `SourceDiagnostic { message: "PDF/UA-1 error: the text \`\\"${text}\\"\` could not be displayed with font" }`

test('a character that no font has is its code', () => {
  assert.equal(codesFor('😀'), '⟨U+1F600⟩')
  assert.equal(codesFor('\u0007'), '⟨U+0007⟩')
})

test('the exporter names what is missing, also by its code', () => {
  assert.deepEqual(missingIn(`[${said('👨')}, ${said('\\\\u{200d}')}, ${said('👨')}]`), ['👨', '\u200d'])
  assert.deepEqual(missingIn('cannot divide by zero'), [])
})

test('letters that stand beside a missing sign stay, unless nothing else is missing', () => {
  const data = documentJson(['e\u{1d165} e', '👩'])
  assert.deepEqual(JSON.parse(withCodes(data, ['e', '\u{1d165}', '👩'])), ['e⟨U+1D165⟩ e', '⟨U+1F469⟩'])
  assert.deepEqual(JSON.parse(withCodes(data, ['e'])), ['e⟨U+1D165⟩ e', '⟨U+1F469⟩'])
})

test('texts hold nothing that cannot be set', () => {
  assert.deepEqual(JSON.parse(documentJson({ a: 'x\ud800y', b: 'one\r\ntwo\tthree', c: '\u0000' })), {
    a: 'x\ufffdy',
    b: 'one\ntwo    three',
    c: '⟨U+0000⟩',
  })
})
