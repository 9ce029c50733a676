// The list of mutants is one that can be tried: each finds its place, and its tests exist.

import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { mutants as groups } from './mutants.ts'

const mutants = Object.values(groups).flat()
const root = fileURLToPath(new URL('../..', import.meta.url))

test('every mutant changes exactly one place, and names tests that exist', () => {
  for (const { about, file, from, to, tests } of mutants) {
    const places = readFileSync(join(root, file), 'utf8').split(from).length - 1
    assert.equal(places, 1, `${file}: "${from}" (${about}) stands there ${places} times.`)
    assert.notEqual(from, to)
    assert.ok(tests.length > 0, about)
    for (const path of tests) assert.ok(existsSync(join(root, path)), `${about}: there is no ${path}.`)
  }
})

test('no two mutants are the same', () => {
  const known = mutants.map(({ file, from, to }) => `${file}\0${from}\0${to}`)
  assert.equal(new Set(known).size, known.length)
})
