import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxFileBytes } from '../../src/platform/http/files.ts'
import { unprocessable } from '../../src/platform/http/refusal.ts'
import { acceptFiles } from '../../src/uploads/uploaded-file.ts'

const text = (content: Buffer | string, more: object = {}) => ({
  fileName: 'a.txt',
  contentType: 'text/plain',
  content: typeof content === 'string' ? content : content.toString('base64'),
  ...more,
})
const hello = Buffer.from('hello')

test('files are accepted in their order, decoded, with their print types', async () => {
  const accepted = await acceptFiles([
    ['files[0]', text(hello, { options: { printType: 2 } })],
    ['files[1]', text(Buffer.from('other'), { contentType: 'TEXT/PLAIN; charset=utf-8', options: {} })],
  ])
  assert.deepEqual(accepted, [
    { fileName: 'a.txt', contentType: 'text/plain', bytes: hello, printType: 2 },
    { fileName: 'a.txt', contentType: 'text/plain', bytes: Buffer.from('other'), printType: null },
  ])
  assert.deepEqual(await acceptFiles([]), [])
})

test('the faults of all files are reported together, and bad content decides the refusal', async () => {
  const nameless = text(hello, { fileName: ' ' })
  await assert.rejects(
    acceptFiles([
      ['files[0]', nameless],
      ['files[1]', text('?')],
    ]),
    { status: 400, messages: ['files[0].fileName must not be empty.', 'files[1].content must be base64.'] },
  )
  await assert.rejects(acceptFiles([['file', nameless]], { badContent: unprocessable }), { status: 400 })
  await assert.rejects(acceptFiles([['file', text('?')]], { badContent: unprocessable }), {
    status: 422,
    messages: ['file.content must be base64.'],
  })
})

test('a file of more than 10 MiB is too large, whatever else is wrong', async () => {
  const large = text(Buffer.alloc(maxFileBytes + 1, 'a'))
  await assert.rejects(
    acceptFiles([
      ['files[0]', text('?')],
      ['files[1]', large],
    ]),
    { status: 413, messages: ['files[1].content must not be larger than 10 MiB.'] },
  )
  assert.equal((await acceptFiles([['file', text(Buffer.alloc(maxFileBytes, 'a'))]])).length, 1)
})
