// The tasks that people have, each with a journey in a browser that counts its clicks.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { taskClicks } from '../support/tasks.ts'

test('the clicks of every task are counted in a journey', () => {
  const folder = new URL('./', import.meta.url)
  const files = readdirSync(folder).filter(name => name.endsWith('.test.ts'))
  const journeys = files.map(name => readFileSync(new URL(name, folder), 'utf8'))
  const counted = new Set(
    journeys.flatMap(text => [...text.matchAll(/assertWithin\(\w+, '([^']+)'\)/g)].map(([, task]) => task)),
  )
  assert.deepEqual(
    Object.keys(taskClicks).filter(task => !counted.has(task)),
    [],
  )
})
