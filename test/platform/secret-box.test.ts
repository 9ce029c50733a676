// A sealed value opens only with its key, and the key of a data folder is created once.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, open, readdir, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, test } from 'node:test'
import { createSecretBox, openDatabaseSecrets, type SecretBox } from '../../src/platform/secret-box.ts'

const folder = await mkdtemp(join(tmpdir(), 'waybill-secrets-'))
after(() => rm(folder, { recursive: true }))

test('a sealed value can be opened, and is never sealed the same way twice', () => {
  const box = createSecretBox(randomBytes(32))
  for (const size of [0, 1, 32, 100_000]) {
    const value = randomBytes(size)
    assert.deepEqual(box.open(box.seal(value)), value)
  }
  const [a, b] = [box.seal(Buffer.from('secret')), box.seal(Buffer.from('secret'))]
  assert.notDeepEqual(a, b)
  assert.ok(!a.includes('secret'))
})

test('a different key, a changed byte or a truncated value cannot be opened', () => {
  const box = createSecretBox(randomBytes(32))
  const sealed = box.seal(Buffer.from('secret'))
  assert.throws(() => createSecretBox(randomBytes(32)).open(sealed))
  for (let i = 0; i < sealed.length; i++) {
    const changed = Buffer.from(sealed)
    changed[i] = (changed[i] as number) ^ 1
    assert.throws(() => box.open(changed), `byte ${i}`)
    assert.throws(() => box.open(sealed.subarray(0, i)), `the first ${i} bytes`)
  }
})

const configuredKey = undefined
const sealed = undefined
const secret = Buffer.from('secret')
/** Whether two boxes have the same key. */
const haveSameKey = (a: SecretBox, b: SecretBox) => a.open(b.seal(secret)).equals(secret)

test('processes that start at once in a new folder get the same key, which only its owner can read', async () => {
  const dataDir = join(folder, 'new')
  const open = () => openDatabaseSecrets({ configuredKey, dataDir, sealed })
  const [first, ...others] = await Promise.all(Array.from({ length: 20 }, open))
  assert.ok(first)
  for (const box of [...others, await open()]) assert.ok(haveSameKey(first, box))
  assert.ok(
    haveSameKey(first, await openDatabaseSecrets({ configuredKey, dataDir, sealed: first.seal(secret) })),
  )
  assert.deepEqual(await readdir(dataDir), ['encryption.key'])
  assert.equal((await stat(join(dataDir, 'encryption.key'))).mode & 0o777, 0o600)
})

test('a new key and its folders are flushed to the disk before anything is sealed with it', async t => {
  if (process.platform !== 'linux') return t.skip('only /proc tells which file a handle belongs to')
  const handle = await open(folder)
  const prototype = Object.getPrototypeOf(handle) as { sync(): Promise<void> }
  await handle.close()
  const { sync } = prototype
  const flushed: string[] = []
  t.mock.method(prototype, 'sync', async function (this: typeof handle) {
    flushed.push(await readlink(`/proc/self/fd/${this.fd}`))
    return sync.call(this)
  })
  const dataDir = join(folder, 'deep', 'down')
  await openDatabaseSecrets({ configuredKey, dataDir, sealed })
  assert.match(basename(flushed[0] ?? ''), /^encryption\.key\.\w+$/)
  assert.deepEqual(flushed.slice(1), [dataDir, join(folder, 'deep'), folder])
})

test('a configured key is used and nothing is written', async () => {
  const key = randomBytes(32)
  const dataDir = join(folder, 'unused')
  const box = await openDatabaseSecrets({ configuredKey: key, dataDir, sealed })
  assert.ok(haveSameKey(box, createSecretBox(key)))
  assert.ok(
    haveSameKey(box, await openDatabaseSecrets({ configuredKey: key, dataDir, sealed: box.seal(secret) })),
  )
  assert.ok(!(await readdir(folder)).includes('unused'))
})

test('a damaged key file is reported, not replaced', async () => {
  await writeFile(join(folder, 'encryption.key'), 'damaged')
  await assert.rejects(
    openDatabaseSecrets({ configuredKey, dataDir: folder, sealed }),
    /encryption\.key does not hold a key of 32 bytes/,
  )
})
