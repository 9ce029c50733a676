// A general OAuth client completes both grants.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as client from 'openid-client'
import { callApi, givenApp, openProcess } from '../support/given-oauth.ts'
import { freeAddress, givenPeopleApp, givenUser, openBrowser, password } from '../support/given-people.ts'
import { openTestDatabase } from '../support/harness.ts'

// The library treats the query of the redirect address as the response.
const redirectUri = 'https://shop.example.com/back'
const { database } = await openTestDatabase()
const url = await freeAddress()
await openProcess(database, { authUrl: url })

/** The library discovers everything from the address. */
const discover = (
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
  authentication: typeof client.ClientSecretPost,
) =>
  client.discovery(new URL(url), clientId, clientSecret, authentication(clientSecret), {
    algorithm: 'oauth2',
    execute: [client.allowInsecureRequests],
  })

for (const [name, authentication] of [
  ['in the form', client.ClientSecretPost],
  ['by HTTP Basic', client.ClientSecretBasic],
] as const) {
  test(`client credentials, secret ${name}`, async () => {
    const config = await discover(await givenApp(database), authentication)
    const tokens = await client.clientCredentialsGrant(config, { scope: 'partner.read' })
    assert.equal(tokens.expires_in, 3600)
    assert.equal((await callApi(url, tokens.access_token, '/v1/partners')).status, 200)
  })

  test(`authorisation code with PKCE and state, refresh and revocation, secret ${name}`, async () => {
    const app = await givenPeopleApp(database, { redirectUris: [redirectUri] })
    const { email, userId } = await givenUser(database, { organisationId: app.organisationId })
    const config = await discover(app, authentication)
    const pkceCodeVerifier = client.randomPKCECodeVerifier()
    const expectedState = client.randomState()
    const to = client.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: 'consignment.read offline_access',
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: expectedState,
    })
    const browser = openBrowser(url)
    const leave = await browser.submit(await browser.open(to.href), 'sign-in', { email, password })
    const back = new URL((await browser.submit(leave, 'allow')).url)
    // The library checks the state and issuer of the response.
    const tokens = await client.authorizationCodeGrant(config, back, { pkceCodeVerifier, expectedState })
    assert.equal((await callApi(url, tokens.access_token)).body.userId, userId)
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
    assert.equal(refreshed.scope, 'consignment.read')
    await client.tokenRevocation(config, refreshed.refresh_token ?? '')
    await assert.rejects(client.refreshTokenGrant(config, refreshed.refresh_token ?? ''), {
      error: 'invalid_grant',
    })
    await assert.rejects(client.authorizationCodeGrant(config, back, { pkceCodeVerifier, expectedState }), {
      error: 'invalid_grant',
    })
  })
}
