// Encryption of what must not stand readable in the database: app secrets, webhook signing keys, private keys
// of tokens.

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { chmod, link, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolders } from './make-folders.ts'

/** Seals and opens small values with AES-256-GCM. */
export interface SecretBox {
  seal(value: Buffer): Buffer
  /** The value that was sealed. Throws when the key is another one or the bytes were changed. */
  open(sealed: Buffer): Buffer
  /**
   * A key of 32 bytes for one other purpose, always the same for the same name, from which no other key can
   * be told.
   */
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

/** Where the key of a database is, and what it has to open. */
export interface KeyOptions {
  /** the key that is set; undefined: the one kept in the data folder */
  setting: Buffer | undefined
  dataDir: string
  /**
   * something that the database holds sealed; undefined where it holds nothing yet, and only then a key is
   * made
   */
  sealed: Buffer | undefined
}

/** Where the key of a data folder is kept. */
const keyFile = (dataDir: string) => join(dataDir, 'encryption.key')

/**
 * The key of a database, which every process of it has to have. Throws when it is missing, damaged or another
 * one than what the database holds was sealed with.
 */
export async function loadDatabaseKey({ setting, dataDir, sealed }: KeyOptions): Promise<Buffer> {
  const path = keyFile(dataDir)
  if (setting === undefined && sealed === undefined) await writeKey(path, randomBytes(32))
  const key = setting ?? (await readKey(path))
  try {
    if (sealed !== undefined) openSecretBox(key).open(sealed)
    return key
  } catch {
    const remedy =
      setting === undefined ? `${path} is not that key. ${restore}` : 'ENCRYPTION_KEY is not that key.'
    throw new Error(`The secrets in the database were encrypted with another key: ${remedy}`)
  }
}

const restore = 'Restore it from a backup, or set ENCRYPTION_KEY.'

async function readKey(path: string): Promise<Buffer> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    throw new Error(
      `The database holds encrypted secrets, and their key is missing: there is no ${path}. ${restore}`,
    )
  })
  await chmod(path, 0o600)
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length !== 32) throw new Error(`${path} does not hold a key of 32 bytes. ${restore}`)
  return key
}

/** The box of a database, opened with its key. Throws as `loadDatabaseKey` does. */
export const openDatabaseSecrets = async (options: KeyOptions): Promise<SecretBox> =>
  openSecretBox(await loadDatabaseKey(options))

/**
 * Keeps this key in the data folder from now on. One that is there and differs is put aside, never lost.
 * Returns what takes it all back.
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
 * Writes a key to `path`, whole or not at all, unless there is one, which may be of a process that starts at
 * the same time. It is on the disk when this resolves, so that no power cut leaves secrets without it.
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
  // The names of the file and of the folders that were made for it are kept in the folders above.
  const top = dirname(firstMade ?? path)
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    await flushFolder(folder)
    if (folder === top || folder === dirname(folder)) break
  }
}

/** Makes an empty file, and the folders above it. */
async function makeDraft(draft: string) {
  const firstMade = await makeFolders(dirname(draft), 0o700)
  return { firstMade, file: await open(draft, 'wx', 0o600) }
}

/** Writes the names in a folder to the disk. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  await handle.sync().finally(() => handle.close())
}
