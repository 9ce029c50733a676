// Encrypts what must not be readable in the database: app secrets, webhook signing keys, and the private keys
// that sign tokens.

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { chmod, link, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { flushFolder } from './flush-folder.ts'
import { makeFolders } from './make-folders.ts'

/** Encrypts (seals) and decrypts (opens) small values with AES-256-GCM. */
export interface SecretBox {
  seal(value: Buffer): Buffer
  /** Returns the value that was sealed. Throws if the key is a different one or the bytes were changed. */
  open(sealed: Buffer): Buffer
  /**
   * Derives a key of 32 bytes for another purpose. It is always the same for the same purpose, and reveals no
   * other key.
   */
  keyFor(purpose: string): Buffer
}

/** Opens a box with a 32-byte key. A sealed value is 12 bytes of nonce, 16 of tag, and the ciphertext. */
export function createSecretBox(key: Buffer): SecretBox {
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

/** Where the key of a database is, and what it must be able to open. */
export interface KeyOptions {
  /** the configured key; undefined if it is the one in the data folder */
  configuredKey: Buffer | undefined
  dataDir: string
  /**
   * a sealed value of the database, to check the key with; undefined if the database has none yet, which is
   * the only case in which a key is created
   */
  sealed: Buffer | undefined
}

/** Where the key of a data folder is kept. */
const keyFile = (dataDir: string) => join(dataDir, 'encryption.key')

/**
 * Loads the key of a database, which every process that uses the database needs. Throws if the key is missing
 * or damaged, or if it is not the key that the database's secrets were sealed with.
 */
export async function loadDatabaseKey({ configuredKey, dataDir, sealed }: KeyOptions): Promise<Buffer> {
  const path = keyFile(dataDir)
  if (configuredKey === undefined && sealed === undefined) await writeKey(path, randomBytes(32))
  const key = configuredKey ?? (await readKey(path))
  try {
    if (sealed !== undefined) createSecretBox(key).open(sealed)
    return key
  } catch {
    const advice =
      configuredKey === undefined
        ? `${path} is not that key. ${restoreAdvice}`
        : 'ENCRYPTION_KEY is not that key.'
    throw new Error(`The secrets in the database were encrypted with another key: ${advice}`)
  }
}

const restoreAdvice = 'Restore it from a backup, or set ENCRYPTION_KEY.'

async function readKey(path: string): Promise<Buffer> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    throw new Error(
      `The database holds encrypted secrets, and their key is missing: there is no ${path}. ${restoreAdvice}`,
    )
  })
  await chmod(path, 0o600)
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length !== 32) throw new Error(`${path} does not hold a key of 32 bytes. ${restoreAdvice}`)
  return key
}

/** Opens the secret box of a database with its key. Throws as `loadDatabaseKey` does. */
export const openDatabaseSecrets = async (options: KeyOptions): Promise<SecretBox> =>
  createSecretBox(await loadDatabaseKey(options))

/**
 * Stores a key in the data folder. A different key that is there is renamed, never lost. Returns a function
 * that undoes all this.
 */
export async function storeKey(dataDir: string, key: Buffer): Promise<() => Promise<void>> {
  const path = keyFile(dataDir)
  const before = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  if (before !== undefined && Buffer.from(before.trim(), 'base64').equals(key)) return async () => {}
  const aside = `${path}.before-${new Date().toISOString().replaceAll(':', '-')}`
  if (before !== undefined) await rename(path, aside)
  await writeKey(path, key)
  return () => (before === undefined ? rm(path) : rename(aside, path))
}

/**
 * Writes a key to `path`, whole or not at all, unless a key is there, perhaps from a process that starts at
 * the same time. The key is on the disk when this resolves, so that a power cut cannot leave secrets without
 * it.
 */
async function writeKey(path: string, key: Buffer): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  const { firstMade, file } = await makeDraft(draft).catch((error: Error) => {
    throw new Error(
      `The key that encrypts secrets cannot be kept in ${dirname(path)} (${error.message}). Set DATA_DIR ` +
        'to a folder that this account may write, or set ENCRYPTION_KEY.',
    )
  })
  await file
    .writeFile(`${key.toString('base64')}\n`)
    .then(() => file.sync())
    .finally(() => file.close())
  await link(draft, path)
    .catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    .finally(() => rm(draft))
  // A new file or folder is safe on the disk only once its parent folder has been flushed.
  const top = dirname(firstMade ?? path)
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    await flushFolder(folder)
    if (folder === top || folder === dirname(folder)) break
  }
}

/** Creates an empty file and its missing parent folders. */
async function makeDraft(draft: string) {
  const firstMade = await makeFolders(dirname(draft), 0o700)
  return { firstMade, file: await open(draft, 'wx', 0o600) }
}
