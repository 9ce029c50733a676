// The fonts of documents: whole files from npm packages, all under the SIL Open Font License.

import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import process from 'node:process'

const require = createRequire(import.meta.url)
const folderOf = (packageName: string) => dirname(require.resolve(`${packageName}/package.json`))

/** Regular and Bold of an embedpdf package. Its entry point is in `dist`; the font files are next to that. */
const embedded = (packageName: string, family: string, ending: string) => {
  const folder = join(dirname(require.resolve(`@embedpdf/${packageName}`)), '..', 'fonts')
  return ['Regular', 'Bold'].map(style => join(folder, `${family}-${style}.${ending}`))
}

/** Regular and Bold of a Google font. */
const google = (script: string) => {
  const folder = folderOf(`@expo-google-fonts/noto-sans-${script.toLowerCase()}`)
  return ['400Regular', '700Bold'].map(style => join(folder, style, `NotoSans${script}_${style}.ttf`))
}

/** A font that comes with the compiler, for symbols that no other font has, such as ∑ and ⟨. */
const symbolFamily = 'Libertinus Serif'

/** Font files, and their families in the order in which the compiler searches them for a character. */
export interface Fonts {
  files: Buffer[]
  families: string[]
}

/**
 * Reads the fonts: first Latin (with Greek, Cyrillic and Vietnamese), then those in `furtherFolder` (the
 * setting DOCUMENT_FONTS), then the other scripts. Installed system fonts are not used, so that a document
 * looks the same on every machine. Further fonts that cannot be read are skipped with a warning.
 */
export function readFonts(furtherFolder?: string): Fonts {
  const latin = embedded('fonts-latin', 'NotoSans', 'ttf').map(readFont)
  const further = furtherFolder === undefined ? [] : furtherFonts(furtherFolder)
  const fonts = [...latin, ...further, ...otherScripts().map(readFont)]
  return {
    files: fonts.map(({ file }) => file),
    families: [...new Set([...fonts.map(({ family }) => family), symbolFamily])],
  }
}

/** Reads a font file and the name of its family. */
function readFont(path: string): { file: Buffer; family: string } {
  const file = readFileSync(path)
  const family = familyOf(file)
  if (family === '') throw new Error(`${path} has no name.`)
  return { file, family }
}

/** Returns the offset of the `name` table of a font, or of the first font of a collection. */
function nameTableOffset(font: Buffer): number | undefined {
  const start = font.toString('latin1', 0, 4) === 'ttcf' ? font.readUInt32BE(12) : 0
  const tables = Array.from({ length: font.readUInt16BE(start + 4) }, (_, i) => start + 12 + 16 * i)
  const table = tables.find(at => font.toString('latin1', at, at + 4) === 'name')
  return table === undefined ? undefined : font.readUInt32BE(table + 8)
}

/** Reads the family of a font from its Windows names, preferably the one without the style. */
function familyOf(font: Buffer): string {
  const start = nameTableOffset(font)
  if (start === undefined) return ''
  const texts = start + font.readUInt16BE(start + 4)
  const records = Array.from({ length: font.readUInt16BE(start + 2) }, (_, i) => start + 6 + 12 * i)
  const [found = ''] = familyNameIds.flatMap(id => {
    const record = records.find(
      at => font.readUInt16BE(at) === windowsPlatform && font.readUInt16BE(at + 6) === id,
    )
    if (record === undefined) return []
    const begin = texts + font.readUInt16BE(record + 10)
    return [
      Buffer.from(font.subarray(begin, begin + font.readUInt16BE(record + 8)))
        .swap16()
        .toString('utf16le'),
    ]
  })
  return found
}

const windowsPlatform = 3
// Name ids of the typographic family, and of the family that may include the style.
const familyNameIds = [16, 1]

const otherScripts = (): string[] => [
  ...embedded('fonts-arabic', 'NotoNaskhArabic', 'ttf'),
  ...embedded('fonts-hebrew', 'NotoSansHebrew', 'ttf'),
  ...['Thai', 'Devanagari', 'Khmer', 'Lao', 'Tamil', 'Bengali'].flatMap(google),
  ...embedded('fonts-sc', 'NotoSansHans', 'otf'),
  ...embedded('fonts-kr', 'NotoSansKR', 'otf'),
]

/** Reads the fonts of a folder and its subfolders, and skips those that cannot be read. */
function furtherFonts(folder: string): { file: Buffer; family: string }[] {
  const skip = (path: string, error: unknown): [] => {
    process.emitWarning(`${path} is left out of documents: ${(error as Error).message}`)
    return []
  }
  let names: string[]
  try {
    names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  } catch (error) {
    return skip(folder, error)
  }
  const paths = names.filter(name => /\.(ttf|otf|ttc|otc)$/i.test(name)).map(name => join(folder, name))
  return paths.toSorted().flatMap(path => {
    try {
      return [readFont(path)]
    } catch (error) {
      return skip(path, error)
    }
  })
}
