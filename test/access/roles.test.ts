import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commonScopes, roles, scopesOfRole } from '../../src/access/roles.ts'
import { includesScope, scopes } from '../../src/access/scopes.ts'

const common = (...sets: string[]) => {
  const [asked = new Set<string>(), ...others] = sets.map(words => new Set(words.split(' ')))
  return commonScopes(asked, ...others).join(' ')
}
const all = scopes.join(' ')

test('common scopes are those that all sets hold, and a plain scope includes its .read', () => {
  assert.equal(common('consignment job.read', all), 'consignment job.read')
  assert.equal(common('consignment', 'consignment.read'), 'consignment.read')
  assert.equal(common('consignment.read', 'consignment'), 'consignment.read')
  assert.equal(common('consignment consignment.read', all), 'consignment consignment.read')
  assert.equal(common('consignment', all, 'job'), '')
  assert.equal(common('print report', 'report'), 'report')
  assert.equal(common('nonsense', all), '')
})

test('an administrator gets all scopes of the app, a member all but organisation, a reader those that only read', () => {
  const asked = new Set<string>(scopes)
  assert.deepEqual(commonScopes(asked, scopesOfRole.administrator), [...scopes])
  assert.deepEqual(
    commonScopes(asked, scopesOfRole.member),
    scopes.filter(scope => scope !== 'organisation'),
  )
  assert.deepEqual(
    commonScopes(asked, scopesOfRole.reader),
    scopes.filter(scope => scope.endsWith('.read')),
  )
  assert.deepEqual(commonScopes(new Set(['organisation']), scopesOfRole.member), ['organisation.read'])
  assert.deepEqual(commonScopes(new Set(['print', 'report']), scopesOfRole.reader), [])
})

test('no common scope is missing from any set, for every role and every single requested scope', () => {
  for (const role of roles) {
    for (const scope of scopes) {
      for (const given of commonScopes(new Set([scope]), scopesOfRole[role])) {
        assert.ok(includesScope(new Set([scope]), given) && includesScope(scopesOfRole[role], given))
      }
    }
  }
})
