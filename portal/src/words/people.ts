// The texts of the people of an organisation.

import { instant } from '../../../ui/time.ts'

const roles: Readonly<Record<string, string>> = {
  administrator: 'Administrator',
  member: 'Member',
  reader: 'Reader',
}

export const peopleWords = {
  people: 'People',
  search: 'Search people',
  searchHint: 'Name or email',
  noPeople: 'Nobody yet. Invite somebody.',
  name: 'Name',
  email: 'Email',
  role: 'Role',
  partner: 'Partner',
  worksFor: 'Works for',
  headState: 'State',
  since: 'Since',
  own: 'The organisation itself',
  active: 'Active',
  disabled: 'Disabled',
  invited: 'Without a password',
  operator: 'Operator',
  all: 'All',
  roleOf: (role: string) => roles[role] ?? role,
  roleHelp:
    'An administrator may do everything; a member all but manage settings, people and apps; a reader only reads.',
  partnerHelp: 'People of a client or a carrier see only what is theirs.',
  client: (name: string) => `${name}, client`,
  carrier: (name: string) => `${name}, carrier`,

  invite: 'Invite',
  invitationLink: 'Invitation link',
  linkWhy: (name: string, expiresUtc: string) =>
    `Whoever opens it chooses the password of ${name}. Pass it on yourself: it is shown only now, works once, ` +
    `and until ${instant(expiresUtc)}.`,
  copyLink: 'Copy link',
  copied: 'Copied',
  cannotCopy: 'The browser did not allow it. Select the link and copy it.',
  done: 'Done',
  notInvited: (name: string) => `${name} is added, but without a link. Make a new link here.`,

  person: 'Person',
  changed: (name: string) => `${name} is changed`,
  newLink: 'New link',
  newLinkWhy: (name: string) =>
    `${name} gets a link to choose a password. A link that was made before ends; the present password stays ` +
    'until the new one is chosen.',
  changeRole: 'Role',
  changeRoleWhy: (name: string) =>
    `What ${name} is signed in with is refused within ten seconds; they sign in anew.`,
  setPassword: 'Set password',
  setPasswordWhy: (name: string) =>
    `${name} is signed out of every browser. A link is safer: then nobody else knows it.`,
  newPassword: 'New password',
  newPasswordHelp: 'At least 12 characters, without the email address.',
  passwordSet: (name: string) => `${name} has the new password`,
  disable: 'Disable',
  disableWhy: (name: string) =>
    `${name} cannot sign in, and what they are signed in with is refused within ten seconds. Apps with a ` +
    'secret that they made keep working. Nothing that they did is lost.',
  disabledNow: (name: string) => `${name} is disabled`,
  enable: 'Enable',
  enabledNow: (name: string) => `${name} is enabled`,
  notYourself: 'This is you. Another administrator can do it.',
  isDisabled: 'A disabled person gets no link. Enable them first.',
  operatorWhy: 'Stands for whoever runs the service. It is no person, and nobody signs in with it.',
} as const
