// The accessibility of a page in a real browser, by every rule of WCAG 2.2 that a program can check.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import type { Page } from 'playwright-core'

const checker = readFile(fileURLToPath(import.meta.resolve('accessibility-checker-engine/ace.js')), 'utf8')

const checkerPath = '/accessibility-checker.js'

/** Serves the checker beside the portal, so that a browser keeps it, and does not compile it for every page. */
export const addChecker = (app: FastifyInstance) =>
  app.get(checkerPath, async (_request, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'public, max-age=86400, immutable')
      .send(`${await checker};globalThis.ace = ace`),
  )

/** Loads the checker, which pages of the portal may import; into others it is put. */
async function load(page: Page): Promise<void> {
  if (await page.evaluate('"ace" in window')) return
  if (new URL(page.url()).pathname.startsWith('/connect/')) await page.evaluate(await checker)
  else await page.evaluate(`import('${checkerPath}').then(() => {})`)
}

interface Found {
  ruleId: string
  message: string
  snippet: string
}

// A dialog makes everything else inert, of which the checker does not know.
const shown = `document.querySelector('[role=dialog]') ?? document`

// Dark changes nothing but colours, so only the rules about colours are asked again.
const check = `async isDark => {
  const checker = new ace.Checker()
  const whole = checker.getGuidelines().find(({ id }) => id === 'WCAG_2_2')
  const aboutColours = whole.checkpoints.map(point =>
    ({ ...point, rules: (point.rules ?? []).filter(({ id }) => /contrast|color/.test(id)) }))
  checker.addGuideline({ ...whole, id: 'COLOURS', checkpoints: aboutColours })
  const { results } = await checker.check(${shown}, [isDark ? 'COLOURS' : 'WCAG_2_2'])
  return results
    .filter(({ value }) => value[0] === 'VIOLATION' && value[1] === 'FAIL')
    .map(({ ruleId, message, snippet }) => ({ ruleId, message, snippet }))
}`

/** Fails if the page, or the dialog that is open, has a violation, in light or dark. No rule is left out. */
export async function assertAccessible(page: Page): Promise<void> {
  await load(page)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const violations = (await page.evaluate(`(${check})(${colorScheme === 'dark'})`)) as Found[]
    assert.deepEqual(
      violations.map(({ ruleId, message, snippet }) => `${ruleId}: ${message} ${snippet}`),
      [],
      `${page.url()} in ${colorScheme}`,
    )
  }
}
