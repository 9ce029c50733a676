import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dummyHash, hashPassword, matchesPassword, passwordFault } from '../../src/oauth/passwords.ts'

test('a password has 12 to 200 characters and does not contain the email address', () => {
  const email = 'ada@example.com'
  const fault = (password: string) => passwordFault(password, email)?.message
  assert.equal(fault('x'.repeat(11)), 'password must have at least 12 characters.')
  assert.equal(fault('x'.repeat(12)), undefined)
  assert.equal(fault('🐎'.repeat(11)), 'password must have at least 12 characters.')
  assert.equal(fault('🐎'.repeat(200)), undefined)
  assert.equal(fault('x'.repeat(201)), 'password must have at most 200 characters.')
  assert.equal(fault('1 Ada@Example.com'), 'password must not contain the email address.')
})

test('only the password itself matches its hash, and an account without a hash has no password', async () => {
  const hash = await hashPassword('correct horse é', 'depot')
  assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  assert.notEqual(await hashPassword('correct horse é', 'depot'), hash)
  assert.equal(await matchesPassword('correct horse é', hash, 'depot'), true)
  assert.equal(
    await matchesPassword('correct horse e\u0301', hash, 'depot'),
    true,
    'the same character, typed in another way',
  )
  assert.equal(await matchesPassword('Correct horse é', hash, 'depot'), false)
  assert.equal(await matchesPassword('correct horse é', null, 'depot'), false)
})

test('a missing account takes as long as an existing one', async () => {
  const cost = (hash: string) => hash.split('$').slice(1, 4).join()
  assert.equal(cost(dummyHash), cost(await hashPassword('correct horse', 'depot')))
})

test('two passwords are hashed at a time, some wait, and the rest are told to retry', async () => {
  const asked = await Promise.allSettled(
    Array.from({ length: 60 }, () => matchesPassword('x', null, 'depot')),
  )
  const refused = asked.filter(each => each.status === 'rejected')
  assert.equal(refused.length, 8)
  assert.ok(refused.every(each => each.reason.status === 503 && each.reason.retryAfterSeconds > 0))
  assert.equal(await matchesPassword('x', null, 'depot'), false, 'and then hashing continues')
})

test('many attempts of one network wait for each other, and a person of another one has the next turn', async () => {
  const order: string[] = []
  const attempt = (owner: string) =>
    matchesPassword('x', null, owner).then(
      () => order.push(owner),
      () => order.push(`${owner} refused`),
    )
  await Promise.all([...Array.from({ length: 60 }, () => attempt('crowd')), attempt('person')])
  const served = order.filter(name => !name.endsWith('refused'))
  assert.ok(served.indexOf('person') >= 0 && served.indexOf('person') < 6, served.join())
  assert.equal(order.filter(name => name === 'crowd refused').length, 9)
})
