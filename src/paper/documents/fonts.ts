// The fonts that documents are set in: whole files, all under the SIL Open Font License, from npm.

import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

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

/**
 * The font files, in the order in which a character is looked for: Latin with Greek, Cyrillic and Vietnamese
 * first, and what `furtherFolder` holds (the setting DOCUMENT_FONTS) before the others.
 */
export const fontFiles = (furtherFolder?: string): string[] => [
  ...embedded('fonts-latin', 'NotoSans', 'ttf'),
  ...(furtherFolder === undefined ? [] : furtherFonts(furtherFolder)),
  ...embedded('fonts-arabic', 'NotoNaskhArabic', 'ttf'),
  ...embedded('fonts-hebrew', 'NotoSansHebrew', 'ttf'),
  ...['Thai', 'Devanagari', 'Khmer', 'Lao', 'Tamil', 'Bengali'].flatMap(google),
  ...embedded('fonts-sc', 'NotoSansHans', 'otf'),
  ...embedded('fonts-kr', 'NotoSansKR', 'otf'),
]

const furtherFonts = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => /\.(ttf|otf|ttc|otc)$/i.test(name))
    .toSorted()
    .map(name => join(folder, name))
