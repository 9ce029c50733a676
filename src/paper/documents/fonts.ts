// The fonts that documents are set in: whole files, all under the SIL Open Font License, from npm.

import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import process from 'node:process'

const require = createRequire(import.meta.url)
const folderOf = (packageName: string) => dirname(require.resolve(`${packageName}/package.json`))

/** Regular and Bold of a package of embedpdf. Its entry is in `dist`; its files lie beside that. */
const embedded = (packageName: string, family: string, ending: string) => {
  const folder = join(dirname(require.resolve(`@embedpdf/${packageName}`)), '..', 'fonts')
  return ['Regular', 'Bold'].map(style => join(folder, `${family}-${style}.${ending}`))
}

/** Regular and Bold of one of Google's fonts. */
const google = (script: string) => {
  const folder = folderOf(`@expo-google-fonts/noto-sans-${script.toLowerCase()}`)
  return ['400Regular', '700Bold'].map(style => join(folder, style, `NotoSans${script}_${style}.ttf`))
}

/** Signs that none of the others has, such as ∑ and ⟨, are of a font that comes with the compiler. */
const signs = 'Libertinus Serif'

/** Fonts: the files, and the families in the order in which a character is looked for. */
export interface Fonts {
  files: Buffer[]
  families: string[]
}

/**
 * Reads the fonts: Latin with Greek, Cyrillic and Vietnamese first, and what `furtherFolder` holds (the
 * setting DOCUMENT_FONTS) before the others. What this machine has installed is not used, so that a document
 * is the same on every machine. Further fonts that cannot be read are left out, with a warning: documents are
 * made without them, and show the codes of what they alone have.
 */
export function readFonts(furtherFolder?: string): Fonts {
  const latin = embedded('fonts-latin', 'NotoSans', 'ttf').map(readFont)
  const further = furtherFolder === undefined ? [] : furtherFonts(furtherFolder)
  const fonts = [...latin, ...further, ...otherScripts().map(readFont)]
  return {
    files: fonts.map(({ file }) => file),
    families: [...new Set([...fonts.map(({ family }) => family), signs])],
  }
}

/** A font, and the family that it is of. */
function readFont(path: string): { file: Buffer; family: string } {
  const file = readFileSync(path)
  const family = familyOf(file)
  if (family === '') throw new Error(`${path} has no name.`)
  return { file, family }
}

/** Where the table of names of a font begins; of a collection that of its first font. */
function namesAt(font: Buffer): number | undefined {
  const start = font.toString('latin1', 0, 4) === 'ttcf' ? font.readUInt32BE(12) : 0
  const tables = Array.from({ length: font.readUInt16BE(start + 4) }, (_, i) => start + 12 + 16 * i)
  const table = tables.find(at => font.toString('latin1', at, at + 4) === 'name')
  return table === undefined ? undefined : font.readUInt32BE(table + 8)
}

/** The family of a font, as its table of names has it for Windows; without its style where both are there. */
function familyOf(font: Buffer): string {
  const start = namesAt(font)
  if (start === undefined) return ''
  const texts = start + font.readUInt16BE(start + 4)
  const records = Array.from({ length: font.readUInt16BE(start + 2) }, (_, i) => start + 6 + 12 * i)
  const [found = ''] = familyNames.flatMap(id => {
    const at = records.find(one => font.readUInt16BE(one) === windows && font.readUInt16BE(one + 6) === id)
    if (at === undefined) return []
    const begin = texts + font.readUInt16BE(at + 10)
    return [
      Buffer.from(font.subarray(begin, begin + font.readUInt16BE(at + 8)))
        .swap16()
        .toString('utf16le'),
    ]
  })
  return found
}

const windows = 3
// The family in the sense of typography, and the one that has its style in it.
const familyNames = [16, 1]

const otherScripts = (): string[] => [
  ...embedded('fonts-arabic', 'NotoNaskhArabic', 'ttf'),
  ...embedded('fonts-hebrew', 'NotoSansHebrew', 'ttf'),
  ...['Thai', 'Devanagari', 'Khmer', 'Lao', 'Tamil', 'Bengali'].flatMap(google),
  ...embedded('fonts-sc', 'NotoSansHans', 'otf'),
  ...embedded('fonts-kr', 'NotoSansKR', 'otf'),
]

/** The fonts of a folder and the folders in it, as far as they can be read. */
function furtherFonts(folder: string): { file: Buffer; family: string }[] {
  const leftOut = (what: string, error: unknown): [] => {
    process.emitWarning(`${what} is left out of documents: ${(error as Error).message}`)
    return []
  }
  let names: string[]
  try {
    names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  } catch (error) {
    return leftOut(folder, error)
  }
  const paths = names.filter(name => /\.(ttf|otf|ttc|otc)$/i.test(name)).map(name => join(folder, name))
  return paths.toSorted().flatMap(path => {
    try {
      return [readFont(path)]
    } catch (error) {
      return leftOut(path, error)
    }
  })
}
