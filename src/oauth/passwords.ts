// Passwords of people: their rules, and hashing them with argon2id. Hashing deliberately costs time and
// memory, so only a few passwords are hashed at once. Spec 5.3.

import { type Fault, faultAt } from '../platform/http/fault.ts'
import { unavailable } from '../platform/http/refusal.ts'
import { FairSlots } from '../platform/work/fair-slots.ts'

const minLength = 12
const maxLength = 200

/**
 * How many UTF-16 units a typed password may have. An allowed password has fewer, however a keyboard composes
 * its characters.
 */
export const maxTypedLength = 1_000

/** 19 MiB, two passes and one lane. The algorithm is argon2id, the library's default. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * A hash that matches no password. It is checked if a user does not exist, so that refusing it takes as
 * long as refusing a wrong password.
 */
export const dummyHash =
  '$argon2id$v=19$m=19456,t=2,p=1$sWJ6skEvIfZWTvKp1CZgMw$RHr+KYTJxqdsHPgOGfMa0XXbOlkEcx7QXXzZbK1D75I'

/** What is wrong with a new password in this field; undefined if nothing is. */
export function passwordFault(password: string, email: string, path = 'password'): Fault | undefined {
  const length = [...password].length
  if (length < minLength) return faultAt(path, `must have at least ${minLength} characters`, 'length')
  if (length > maxLength) return faultAt(path, `must have at most ${maxLength} characters`, 'length')
  if (password.toLowerCase().includes(email.toLowerCase()))
    return faultAt(path, 'must not contain the email address', 'pattern')
  return undefined
}

/**
 * Returns the hash of a password as a PHC string. `owner` is whose turn it is, the organisation. Throws 503
 * if too many passwords wait to be hashed.
 */
export const hashPassword = (password: string, owner: string): Promise<string> =>
  runInTurn(owner, async ({ hash }) => hash(normalise(password), cost))

/**
 * Whether the hash is of this password. Without a hash it is not, which takes just as long to find out.
 * `owner` is whose turn it is, the network of the person. Throws 503 if too many passwords wait to be hashed.
 */
export async function matchesPassword(
  password: string,
  passwordHash: string | null,
  owner: string,
): Promise<boolean> {
  const isCorrect = await runInTurn(owner, ({ verify }) =>
    verify(passwordHash ?? dummyHash, normalise(password)),
  )
  return isCorrect && passwordHash !== null
}

/** Makes sure that the same characters typed on different keyboards have the same bytes. */
const normalise = (password: string) => password.normalize('NFKC')

// Each hash takes 19 MiB and a core for some hundredths of a second. Owners take turns, so that one network
// that tries many passwords keeps nobody else from signing in.
const slots = new FairSlots({ count: 2, maxWaiting: 50, maxWaitMs: 30_000 }, () =>
  unavailable('Too many people sign in at this moment. Try again shortly.'),
)

type Argon2 = Pick<typeof import('@node-rs/argon2'), 'hash' | 'verify'>
let argon2: Promise<Argon2> | undefined

/** Runs the work in the owner's turn. The library is loaded when it is first needed. */
const runInTurn = <T>(owner: string, work: (argon2: Argon2) => Promise<T>): Promise<T> =>
  slots.use(owner, undefined, async () => {
    argon2 ??= import('@node-rs/argon2')
    return work(await argon2)
  })
