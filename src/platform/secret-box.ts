// Encryption of what must not stand readable in the database: app secrets, webhook signing keys, private keys of tokens.

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Seals and opens small values with AES-256-GCM. */
export interface SecretBox {
  seal(value: Buffer): Buffer
  /** The value that was sealed. Throws when the key is another one or the bytes were changed. */
  open(sealed: Buffer): Buffer
  /** A key of 32 bytes for one other purpose, always the same for the same name, from which no other key can be told. */
  keyFor(purpose: string): Buffer
}

/** A box with a 32-byte key. Sealed: 12 bytes of nonce, 16 of tag, the rest ciphertext. */
export function openSecretBox(key: Buffer): SecretBox {
  return {
    seal(value) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const body = Buffer.concat([cipher.update(value), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body])
    },
    open(sealed) {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12), { authTagLength: 16 })
      decipher.setAuthTag(sealed.subarray(12, 28))
      return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()])
    },
    keyFor: purpose => Buffer.from(hkdfSync('sha256', key, '', purpose, 32)),
  }
}

/** The key from the setting, or the one kept in the data folder, made at the first start. Every process of one database needs the same. */
export async function encryptionKey(setting: Buffer | undefined, dataDir: string): Promise<Buffer> {
  if (setting !== undefined) return setting
  const path = join(dataDir, 'encryption.key')
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await makeKey(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await chmod(path, 0o600)
  const key = Buffer.from((await readFile(path, 'utf8')).trim(), 'base64')
  if (key.length !== 32) throw new Error(`${path} does not hold a key of 32 bytes. Restore it from a backup, or set ENCRYPTION_KEY.`)
  return key
}

/** Makes a new key at `path`, whole or not at all; fails with EEXIST when there is one. */
async function makeKey(path: string): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' })
  await link(draft, path).finally(() => rm(draft))
}
