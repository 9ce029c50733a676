// GET /connect/authorize, and the pages on which a person signs in and allows the app before returning to it.
// Spec 5.3. The library calls this exchange with a person an interaction.

import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errors, type Interaction, type InteractionResults, type Provider } from 'oidc-provider'
import { type Database, sql } from '../platform/database/db.ts'
import { isFromThisMachine } from '../platform/http/from-this-machine.ts'
import { unavailabilityOf } from '../platform/http/unavailability.ts'
import type { SecretBox } from '../platform/secret-box.ts'
import { checkPassword, knownBrowserCookie } from './check-password.ts'
import { recordConsent } from './consents.ts'
import { demoSignIns } from './demo-sign-in.ts'
import { createForwarder, formType, toProviderRequest } from './forward-request.ts'
import { createGrant } from './grants.ts'
import { pageHeaders } from './html-page.ts'
import { createSignInState, isSignInOver } from './library-patches.ts'
import { maxTypedLength } from './passwords.ts'
import { signInPath } from './provider.ts'
import type { RegisteredApp, RegisteredApps } from './registered-apps.ts'
import { grantableScopes } from './scopes-of-token.ts'
import {
  consentPage,
  type FormFault,
  type PageContext,
  refusalPage,
  signInPage,
  unavailablePage,
} from './sign-in-html.ts'
import { newKnownBrowserToken, refundAttempt, unfinishedSignInsCounter } from './sign-in-throttle.ts'
import { findUser } from './user.ts'

/** The dependencies of the pages. */
export interface SignInParts {
  /** the address of the OAuth server */
  issuer: string
  apps: RegisteredApps
  database: Database
  secretBox: SecretBox
  /** whether `./waybill demo` runs the service */
  isDemo: boolean
  /** the OAuth server with the current keys */
  provider(): Provider
}

const authorizePath = '/connect/authorize'

/**
 * The parameters of the authorisation endpoint. All others are ignored, as RFC 6749 (3.1) requires. Ignoring
 * response_mode means that responses are always in the query.
 */
const knownParameters = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'resource',
  'prompt',
  'login_hint',
]

/**
 * The response type to forward. For some types that it does not support, the library would put its error into
 * the fragment of the redirect, where none of our responses belong.
 */
const responseTypeOf = (requested: string) =>
  requested === '' || requested === 'code' ? requested : 'unsupported'

/** How many bytes a parameter of the authorisation endpoint may have. */
const maxParameterBytes = 2_048

const yearSeconds = 365 * 86_400

/** Adds the authorisation endpoint and its pages to a Fastify scope, which must parse bodies as bytes. */
export function addSignInRoutes(scope: FastifyInstance, parts: SignInParts): void {
  const forward = createForwarder(parts.issuer, parts.provider)
  scope.get(authorizePath, (request, reply) => {
    const received = new URLSearchParams(request.raw.url?.replace(/^[^?]*/, ''))
    const accepted = new URLSearchParams()
    for (const [name, value] of received) {
      if (!knownParameters.includes(name)) continue
      // Anyone's request is stored, so it has to be small. A redirect URI has to be one that was registered.
      if (name !== 'redirect_uri' && Buffer.byteLength(value) > maxParameterBytes) {
        const tooLong = `${name} must have at most ${maxParameterBytes} bytes`
        return send(reply, 400, refusalPage({ error: 'invalid_request', error_description: tooLong }))
      }
      accepted.append(name, name === 'response_type' ? responseTypeOf(value) : value)
    }
    return forward(request, reply, { url: `${authorizePath}?${accepted}` })
  })
  scope.get(`${authorizePath}/:uid`, (request, reply) => forward(request, reply, {}))
  const pages = { errorHandler: respondWithErrorPage }
  scope.get(`${signInPath}/:uid`, pages, async (request, reply) => {
    const context = await findInteraction(parts, request, reply)
    return context.interaction.prompt.name === 'login'
      ? showSignIn(context, readParameter(context.interaction, 'login_hint'))
      : showConsent(context)
  })
  scope.post(`${signInPath}/:uid`, pages, async (request, reply) => {
    const context = await findInteraction(parts, request, reply)
    const form = new URLSearchParams(readForm(request))
    if (!isOurForm(context, form.get('form_token') ?? ''))
      throw new errors.SessionNotFound('the form is not of this interaction')
    return context.interaction.prompt.name === 'login'
      ? submitSignIn(context, form)
      : submitConsent(context, form)
  })
}

/** A request to one of the pages, with the interaction and the app that it belongs to. */
interface InteractionContext extends SignInParts {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly interaction: Interaction
  readonly app: RegisteredApp
  readonly pageContext: PageContext
  /** the registered address at which the app waits */
  readonly redirectUri: string
  /** the scopes that the app requests */
  readonly scopes: readonly string[]
  /** Ends the interaction and redirects the browser. */
  finish(result: InteractionResults): Promise<FastifyReply>
}

/**
 * Finds the interaction that the browser's cookie names. Throws SessionNotFound if there is none or the
 * address is of another one.
 */
async function findInteraction(
  parts: SignInParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<InteractionContext> {
  const provider = parts.provider()
  const raw = toProviderRequest(parts.issuer, request)
  const interaction = await provider.interactionDetails(raw, reply.raw)
  const app = await parts.apps.find(readParameter(interaction, 'client_id'))
  if (app === undefined || interaction.uid !== (request.params as { uid: string }).uid)
    throw new errors.SessionNotFound('the interaction is unknown')
  const names = await parts.database.db.row<{ appName: string; organisationName: string }>(sql`
    select a.name as app_name, o.name as organisation_name
    from custom_app a join organisation o on o.id = a.organisation_id
    where a.organisation_id = ${app.organisationId} and a.id = ${app.customAppId}`)
  return {
    ...parts,
    request,
    reply,
    interaction,
    app,
    pageContext: {
      ...names,
      formToken: signFormToken(parts, interaction).toString('base64url'),
      demoSignIns: parts.isDemo && isFromThisMachine(request.raw) ? demoSignIns : [],
    },
    redirectUri: readParameter(interaction, 'redirect_uri'),
    scopes: readParameter(interaction, 'scope').split(' '),
    async finish(result) {
      // Consent is added to the result of the sign-in before it; a new sign-in replaces what came before.
      const mergeWithLastSubmission = 'consent' in result
      return reply.redirect(
        await provider.interactionResult(raw, reply.raw, result, { mergeWithLastSubmission }),
        303,
      )
    },
  }
}

/** A parameter of the authorisation request; empty if it was not given. */
function readParameter({ params }: Interaction, name: string): string {
  const value = params[name]
  return typeof value === 'string' ? value : ''
}

/** The token of a form. It is valid for one interaction and one step of it. */
const signFormToken = ({ secretBox }: SignInParts, { uid, prompt }: Interaction): Buffer =>
  createHmac('sha256', secretBox.keyFor('sign-in forms')).update(`${prompt.name} ${uid}`).digest()

function isOurForm(context: InteractionContext, token: string): boolean {
  const [presented, expected] = [Buffer.from(token, 'base64url'), signFormToken(context, context.interaction)]
  return presented.length === expected.length && timingSafeEqual(presented, expected)
}

/** The text of a form; empty if the body has another type. */
export const readForm = (request: FastifyRequest): string =>
  request.headers['content-type']?.startsWith(formType)
    ? ((request.body as Buffer | undefined)?.toString() ?? '')
    : ''

const send = (reply: FastifyReply, status: number, page: string, returnTo?: string) =>
  reply.code(status).headers(pageHeaders(returnTo)).send(page)

const showSignIn = (
  { reply, pageContext, redirectUri }: InteractionContext,
  email: string,
  faults: readonly FormFault[] = [],
  status = 200,
) => send(reply, status, signInPage(pageContext, email, faults), redirectUri)

async function submitSignIn(context: InteractionContext, form: URLSearchParams): Promise<FastifyReply> {
  if (form.get('decision') === 'cancel')
    return context.finish({ error: 'access_denied', error_description: 'the user did not sign in' })
  if (form.has('demo')) return submitDemoSignIn(context, form.get('demo') ?? '')
  const email = form.get('email')?.trim() ?? ''
  const password = form.get('password') ?? ''
  const faults: FormFault[] = []
  // Email addresses have no control characters, and the database does not accept NUL.
  if (email === '' || email.length > 254 || /\p{Cc}/u.test(email))
    faults.push({ field: 'email', message: 'Enter your email address.' })
  if (password === '' || password.length > maxTypedLength)
    faults.push({ field: 'password', message: 'Enter your password.' })
  if (faults.length > 0) return showSignIn(context, email, faults, 400)

  const { reply } = context
  const attempt = await checkPassword(context, email, password)
  if ('waitSeconds' in attempt) {
    reply.header('retry-after', String(attempt.waitSeconds))
    const minutes = Math.ceil(attempt.waitSeconds / 60)
    const after = minutes === 1 ? 'a minute' : `${minutes} minutes`
    const message = `There were too many attempts. Try again in ${after}.`
    return showSignIn(context, email, [{ message }], 429)
  }
  const { user } = attempt
  if (user === undefined) {
    return showSignIn(
      context,
      email,
      [{ field: 'password', message: 'Incorrect email address or password.' }],
      400,
    )
  }
  return completeSignIn(context, user)
}

/** Signs in a person of the demo. A press that does not come from the demo's own machine is refused. */
async function submitDemoSignIn(context: InteractionContext, key: string): Promise<FastifyReply> {
  const { app, database, pageContext } = context
  const email = pageContext.demoSignIns.find(person => person.key === key)?.email
  const user = await database.db.maybe<{ id: string; sessionNumber: number }>(sql`
    select id, session_number from app_user
    where organisation_id = ${app.organisationId} and lower(email) = ${email ?? null}
      and disabled_utc is null`)
  if (user === undefined)
    return showSignIn(context, '', [{ message: 'The demo has nobody here whom you can try.' }], 403)
  return completeSignIn(context, user)
}

/** Goes on with the person who has signed in. */
async function completeSignIn(
  context: InteractionContext,
  user: { id: string; sessionNumber: number },
): Promise<FastifyReply> {
  await refundUnfinishedSignIn(context)
  await endOtherSession(context, user.id)
  const { secretBox, issuer, reply } = context
  const token = newKnownBrowserToken(secretBox.keyFor('browsers'), user.id)
  const secure = issuer.startsWith('https:') ? '; Secure' : ''
  reply.header(
    'set-cookie',
    `${knownBrowserCookie}=${token}; Path=${signInPath}; Max-Age=${yearSeconds}; ` +
      `HttpOnly; SameSite=Lax${secure}`,
  )
  return context.finish({ login: { accountId: user.id, remember: false, ...createSignInState(user) } })
}

/**
 * Stops counting this sign-in as one that its network began and did not finish. However often its form is
 * submitted with a right password, this happens once.
 */
async function refundUnfinishedSignIn({ interaction, database }: InteractionContext): Promise<void> {
  const { startedFrom } = interaction.prompt.details
  if (typeof startedFrom !== 'string') return
  try {
    await interaction.adapter.consume(interaction.uid)
  } catch (error) {
    if (error instanceof errors.InvalidGrant) return
    throw error
  }
  await refundAttempt(database, unfinishedSignInsCounter(startedFrom))
}

/**
 * Ends the session of another person who was signed in to this browser. The interaction goes on with the new
 * person.
 */
async function endOtherSession({ interaction, provider }: InteractionContext, userId: string): Promise<void> {
  const { session } = interaction
  if (session === undefined || session.accountId === userId) return
  await (await provider().Session.findByUid(session.uid))?.destroy()
  interaction.session = undefined
  await interaction.save(secondsLeft(interaction))
}

const secondsLeft = ({ exp }: Interaction) => Math.max(1, exp - Math.floor(Date.now() / 1000))

/**
 * The person who is signed in. Throws SessionNotFound if they have signed out, were disabled, or their
 * sign-in was ended.
 */
async function requireSignedInUser({ app, database, interaction, provider }: InteractionContext) {
  const { session } = interaction
  const user = session && (await findUser(database.db, app, session.accountId))
  if (session === undefined || user === undefined || isSignInOver(session, user))
    throw new errors.SessionNotFound('nobody is signed in')
  if ((await provider().Session.findByUid(session.uid)) === undefined)
    throw new errors.SessionNotFound('the browser was signed out')
  return user
}

async function showConsent(context: InteractionContext): Promise<FastifyReply> {
  const { reply, app, pageContext, redirectUri } = context
  const user = await requireSignedInUser(context)
  const scopes = grantableScopes(app, user, context.scopes)
  const requested = context.scopes.filter(scope => scope !== 'offline_access')
  const grantable: readonly string[] = scopes
  const isLimitedByRole = !requested.every(scope => grantable.includes(scope))
  return send(
    reply,
    200,
    consentPage({ ...pageContext, ...user, redirectUri, scopes, isLimitedByRole }),
    redirectUri,
  )
}

async function submitConsent(context: InteractionContext, form: URLSearchParams): Promise<FastifyReply> {
  const { app, database, provider } = context
  const decision = form.get('decision')
  if (decision === 'switch') return restartSignIn(context)
  const user = await requireSignedInUser(context)
  const scopes = grantableScopes(app, user, context.scopes)
  if (decision !== 'allow' || scopes.length === 0) {
    return context.finish({ error: 'access_denied', error_description: 'the user did not allow the app' })
  }
  await database.atomically(tx => recordConsent(tx, app, user.userId, scopes))
  const grant = await createGrant(provider(), app.clientId, user.userId, context.scopes)
  return context.finish({ consent: { grantId: grant.jti } })
}

/** Signs the browser out and begins the same request again, so that another person can sign in. */
async function restartSignIn({
  interaction,
  provider,
  reply,
  issuer,
}: InteractionContext): Promise<FastifyReply> {
  const { session, params } = interaction
  if (session !== undefined) await (await provider().Session.findByUid(session.uid))?.destroy()
  await interaction.destroy()
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) {
    if (knownParameters.includes(name) && name !== 'login_hint' && typeof value === 'string')
      parameters.append(name, value)
  }
  return reply.redirect(`${issuer}${authorizePath}?${parameters}`, 303)
}

export function respondWithErrorPage(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const unavailability = unavailabilityOf(error)
  if (unavailability !== undefined)
    return send(reply.header('retry-after', unavailability.retryAfterSeconds), 503, unavailablePage())
  if (error instanceof errors.SessionNotFound)
    return send(reply, 400, refusalPage({ error: 'session_not_found' }))
  const { statusCode } = error as { statusCode?: number }
  if (statusCode !== undefined && statusCode < 500)
    return send(reply, 400, refusalPage({ error: 'invalid_request' }))
  request.log.error({ err: error }, 'unexpected error of the sign-in pages')
  return send(
    reply,
    500,
    refusalPage({ error: 'server_error', error_description: `the request id is ${request.id}` }),
  )
}
