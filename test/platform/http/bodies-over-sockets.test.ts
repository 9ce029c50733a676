// Bodies of requests over real sockets: their kinds, their sizes and what is refused. Spec 1, 7.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { asJson, assertError, openTestServer } from '../../support/given-server.ts'

const { send, raw } = await openTestServer()

test('malformed JSON and a missing body return 400', async () => {
  for (const body of ['{', '{"a":1}}', "{'a':1}", 'null x', '\u0000', '{"a":"\ud800"']) {
    assertError(
      await send('POST', '/v1/small', { headers: asJson, body }),
      400,
      'Validation Failed',
      /^The body is not valid JSON/,
    )
  }
  assertError(
    await send('POST', '/v1/small', { headers: asJson }),
    400,
    'Validation Failed',
    'The request needs a JSON body.',
  )
  assertError(await send('POST', '/v1/small'), 400, 'Validation Failed', 'The request needs a JSON body.')
  assertError(
    await send('POST', '/v1/small', { headers: asJson, body: 'null' }),
    400,
    'Validation Failed',
    'The request needs a JSON body.',
  )
  assertError(
    await send('POST', '/v1/small', { headers: asJson, body: '[]' }),
    400,
    'Validation Failed',
    'The body must be an object.',
  )
  assert.equal((await send('POST', '/v1/optional')).status, 200)
  assert.equal((await send('POST', '/v1/optional', { headers: asJson, body: '{}' })).status, 200)
})

test('values that cannot be stored are reported together with the other faults of the request', async () => {
  const refused = await send('POST', '/v1/small', {
    headers: asJson,
    body: '{"unknown":"\\u0000","content":1}',
  })
  assertError(refused, 400, 'Validation Failed')
  assert.deepEqual(JSON.parse(refused.text).ErrorMessages, [
    'unknown must not contain the NUL character.',
    'content must be a string.',
  ])
  const unread = await send('POST', '/v1/partners', { headers: asJson, body: '{"x":"\\u0000"}' })
  assertError(unread, 400, 'Validation Failed', 'x must not contain the NUL character.')
})

test('a body that is not application/json returns 415', async () => {
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    'x',
    '',
  ]) {
    const refused = await send('POST', '/v1/small', { headers: { 'content-type': type }, body: '{}' })
    assertError(refused, 415, 'Validation Failed', 'The content type must be application/json.')
  }
  for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON']) {
    assert.equal(
      (await send('POST', '/v1/small', { headers: { 'content-type': type }, body: '{}' })).status,
      200,
      type,
    )
  }
})

test('a compressed body returns 415, however small', async () => {
  for (const encoding of ['gzip', 'br', 'deflate', 'x']) {
    const refused = await send('POST', '/v1/small', {
      headers: { ...asJson, 'content-encoding': encoding },
      body: gzipSync('{}'),
    })
    assertError(refused, 415, 'Validation Failed', 'Compressed request bodies are not accepted.')
  }
  assert.equal(
    (await send('POST', '/v1/small', { headers: { ...asJson, 'content-encoding': 'Identity' }, body: '{}' }))
      .status,
    200,
  )
})

/** A body of exactly this many bytes. */
const bodyOf = (bytes: number) => Buffer.from(JSON.stringify({ content: 'a'.repeat(bytes - 14) }))
/** Splits a body into chunks, so that it is sent without a Content-Length. */
const chunked = (body: Buffer) =>
  Array.from({ length: Math.ceil(body.length / 65_536) }, (_, i) =>
    body.subarray(i * 65_536, (i + 1) * 65_536),
  )
const mebibyte = 1_048_576

test('a body of exactly 1 MiB is read and one byte more returns 413, with and without a Content-Length', async () => {
  for (const shape of [(body: Buffer) => body, chunked]) {
    assert.equal(
      (await send('POST', '/v1/small', { headers: asJson, body: shape(bodyOf(mebibyte)) })).status,
      200,
    )
    const refused = await send('POST', '/v1/small', { headers: asJson, body: shape(bodyOf(mebibyte + 1)) })
    assertError(refused, 413, 'Payload Too Large', 'The request body is larger than this endpoint accepts.')
  }
})

test('an endpoint that accepts files reads 40 MiB and refuses one byte more', async () => {
  assert.equal(
    (await send('POST', '/v1/files', { headers: asJson, body: bodyOf(40 * mebibyte) })).status,
    200,
  )
  assertError(
    await send('POST', '/v1/files', { headers: asJson, body: chunked(bodyOf(40 * mebibyte + 1)) }),
    413,
    'Payload Too Large',
  )
})

test('a Content-Length above the limit is refused before the body is sent', async () => {
  const head = `POST /v1/small HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nContent-Type: application/json\r\nContent-Length: 1099511627776\r\n\r\n`
  assertError(await raw(head), 413, 'Payload Too Large')
})
