// What a person sees while nobody is signed in: the question for the organisation, Signed out, or why signing
// in is impossible. After a sign-in has ended, Sign in again stands over the work.

import { type FormEvent, type ReactNode, useState, useSyncExternalStore } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { words as uiWords } from '../../../ui/words.ts'
import { chooseOrganisation, sessionStore, signIn } from '../session.ts'
import { words } from '../words.ts'
import styles from './sign-in-gate.module.css'

/** Shows its content to people who are signed in. */
export function SignInGate({ children }: { children: ReactNode }) {
  const session = useSyncExternalStore(sessionStore.subscribe, sessionStore.current)
  switch (session.state) {
    case 'starting':
      return <Card heading={words.signingIn} state="loading" />
    case 'signed-in':
      return children
    case 'expired':
      return (
        <>
          {children}
          <SignInAgain />
        </>
      )
    case 'signed-out':
      return (
        <Card heading={words.signedOut}>
          <p>{words.signedOutWhy}</p>
          <a
            href="/"
            onClick={event => {
              event.preventDefault()
              void signIn()
            }}
          >
            {words.signIn}
          </a>
        </Card>
      )
    case 'organisation':
      return <WhichOrganisation fault={session.fault} />
    case 'problem':
      return (
        <Card heading={words.cannotSignIn} state="error">
          <p role="alert">{session.text}</p>
          <Button onPress={() => location.reload()}>{uiWords.tryAgain}</Button>
        </Card>
      )
  }
}

function Card({
  heading,
  state = 'ready',
  children,
}: {
  heading: string
  state?: 'loading' | 'ready' | 'error'
  children?: ReactNode
}) {
  document.title = words.pageTitle(heading)
  return (
    <main className={styles.outer} data-state={state}>
      <div className={`${styles.card} ${state === 'loading' ? styles.late : ''}`}>
        <div className={styles.product}>{words.product}</div>
        <h1>{heading}</h1>
        {children}
      </div>
    </main>
  )
}

function WhichOrganisation({ fault }: { fault: string | undefined }) {
  const [organisation, setOrganisation] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (organisation.trim() !== '') chooseOrganisation(organisation.trim())
  }
  return (
    <Card heading={words.whichOrganisation}>
      <form onSubmit={submit}>
        <label htmlFor="organisation">{words.organisation}</label>
        <p id="organisation-help">{words.organisationHelp}</p>
        {fault !== undefined && (
          <p id="organisation-fault" role="alert" className={styles.fault}>
            {fault}
          </p>
        )}
        <input
          id="organisation"
          value={organisation}
          onChange={event => setOrganisation(event.target.value)}
          autoCapitalize="none"
          spellCheck={false}
          required
          aria-describedby={`organisation-help${fault === undefined ? '' : ' organisation-fault'}`}
          {...(fault === undefined ? {} : { 'aria-invalid': true })}
        />
        <Button kind="main" type="submit">
          {words.continue}
        </Button>
      </form>
    </Card>
  )
}

/** Signing in happens in another tab, so that what has been typed here is kept. */
const SignInAgain = () => (
  <div
    className={styles.over}
    role="alertdialog"
    aria-modal
    aria-labelledby="again"
    aria-describedby="again-why"
  >
    <div className={styles.card}>
      <h1 id="again">{words.signInAgain}</h1>
      <p id="again-why">{words.signInAgainWhy}</p>
      <a href="/" target="_blank" rel="noreferrer">
        {words.signIn}
      </a>
    </div>
  </div>
)
