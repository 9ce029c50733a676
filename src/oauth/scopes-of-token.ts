// The scopes of a user's token: what app, role and consent allow. Spec 5.5; decision 3.

import { commonScopes, scopesOfRole } from '../access/roles.ts'
import type { RegisteredApp } from './registered-apps.ts'
import type { User } from './user.ts'

/** Which of the requested scopes the user can allow the app: those that both app and role hold. */
export const grantableScopes = (app: RegisteredApp, user: User, requested: Iterable<string>) =>
  commonScopes(new Set(requested), new Set(app.scopes), scopesOfRole[user.role])

/** The scopes of a user's token: those requested that app, role and consent allow at this moment. */
export const effectiveScopes = (app: RegisteredApp, user: User, requested: Iterable<string>) =>
  commonScopes(new Set(grantableScopes(app, user, requested)), new Set(user.allowedScopes))
