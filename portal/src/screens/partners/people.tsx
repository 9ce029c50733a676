// The people who sign in for a partner.

import { useQuery } from '@tanstack/react-query'
import { Pill } from '../../../../ui/Pill.tsx'
import { Nothing, Region, Rows } from '../../../../ui/Region.tsx'
import { readAll } from '../../every-page.ts'
import { canOpen } from '../../frame/menu.ts'
import { hasScope, useMe } from '../../me.ts'
import { regionStateOf } from '../../queries.ts'
import { Link } from '../../router.tsx'
import { partnerWords as words } from '../../words/partners.ts'
import { Invite } from '../settings/invite.tsx'
import styles from './partner.module.css'

export function People({ partnerId, isActive }: { partnerId: string; isActive: boolean }) {
  const me = useMe()
  const { data, isError } = useQuery(readAll('/v1/users'))
  const people = data?.users.filter(user => user.partnerId === partnerId)
  const state = regionStateOf(isError, people)
  return (
    <Region
      heading={words.people}
      state={state}
      acts={hasScope(me, 'organisation') && isActive && <Invite partnerId={partnerId} />}
    >
      {state === 'empty' && <Nothing text={words.noPeople} />}
      <Rows>
        {(people ?? []).map(({ id, fullName, email, role, isDisabled }) => (
          <li key={id}>
            <span>
              {canOpen(me, `/settings/people/${id}`) ? (
                <Link to={`/settings/people/${id}`}>{fullName}</Link>
              ) : (
                <b>{fullName}</b>
              )}{' '}
              <span className={styles.quiet}>{email}</span>
            </span>
            {isDisabled ? (
              <Pill text={words.disabled} tone="alert" isRing />
            ) : (
              <span className={styles.quiet}>{words.role(role)}</span>
            )}
          </li>
        ))}
      </Rows>
    </Region>
  )
}
