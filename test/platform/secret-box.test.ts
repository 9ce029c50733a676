// What is sealed opens with its key only, and the key of a data folder is made once.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { encryptionKey, openSecretBox } from '../../src/platform/secret-box.ts'

const folder = await mkdtemp(join(tmpdir(), 'waybill-secrets-'))
after(() => rm(folder, { recursive: true }))

test('what was sealed comes out again, and never looks the same twice', () => {
  const box = openSecretBox(randomBytes(32))
  for (const size of [0, 1, 32, 100_000]) {
    const value = randomBytes(size)
    assert.deepEqual(box.open(box.seal(value)), value)
  }
  const [a, b] = [box.seal(Buffer.from('secret')), box.seal(Buffer.from('secret'))]
  assert.notDeepEqual(a, b)
  assert.ok(!a.includes('secret'))
})

test('another key, a changed byte or a cut end opens nothing', () => {
  const box = openSecretBox(randomBytes(32))
  const sealed = box.seal(Buffer.from('secret'))
  assert.throws(() => openSecretBox(randomBytes(32)).open(sealed))
  for (let i = 0; i < sealed.length; i++) {
    const changed = Buffer.from(sealed)
    changed[i] = (changed[i] as number) ^ 1
    assert.throws(() => box.open(changed), `byte ${i}`)
    assert.throws(() => box.open(sealed.subarray(0, i)), `the first ${i} bytes`)
  }
})

test('processes that start at once in a new folder get the same key, readable by its owner only', async () => {
  const dataDir = join(folder, 'new')
  const keys = await Promise.all(Array.from({ length: 20 }, () => encryptionKey(undefined, dataDir)))
  assert.equal(new Set(keys.map(key => key.toString('hex'))).size, 1)
  assert.equal(keys[0]?.length, 32)
  assert.deepEqual(await encryptionKey(undefined, dataDir), keys[0])
  assert.deepEqual(await readdir(dataDir), ['encryption.key'])
  assert.equal((await stat(join(dataDir, 'encryption.key'))).mode & 0o777, 0o600)
})

test('a key that is set is taken and nothing is written', async () => {
  const key = randomBytes(32)
  assert.equal(await encryptionKey(key, join(folder, 'unused')), key)
  assert.ok(!(await readdir(folder)).includes('unused'))
})

test('a damaged key file is named rather than replaced', async () => {
  await writeFile(join(folder, 'encryption.key'), 'damaged')
  await assert.rejects(encryptionKey(undefined, folder), /encryption\.key does not hold a key of 32 bytes/)
})
