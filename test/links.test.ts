// The pages of the project link to files and headings that there are.

import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const pages = globSync(['*.md', '{bench,bridge,client,docs}/*.md'], { cwd: root })

/** The names by which the headings of a page are linked to. */
const anchorsOf = (page: string) =>
  [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

/** What is wrong with a link of a page, or nothing. */
function faultOf(page: string, link: string): string[] {
  const [file = '', anchor] = link.split('#')
  const target = file === '' ? page : join(dirname(page), file)
  if (!existsSync(join(root, target))) return [`${page} links to ${link}, which is no file.`]
  if (anchor === undefined || anchorsOf(target).includes(anchor)) return []
  return [`${page} links to ${link}, which is no heading.`]
}

test('every link of a page leads to a file, and to a heading of it', () => {
  const faults = pages.flatMap(page =>
    [...read(page).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link = '']) => link)
      .filter(link => !/^[a-z]+:/.test(link))
      .flatMap(link => faultOf(page, link)),
  )
  assert.ok(pages.length > 8)
  assert.deepEqual(faults, [])
})
