// What stands in the place of a screen that cannot be shown: there is nothing at the address, the role does
// not include it, or the service refused or failed.

import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { WaybillError } from '../../../client/src/waybill.ts'
import { Button } from '../../../ui/Button.tsx'
import { words as uiWords } from '../../../ui/words.ts'
import { Link } from '../router.tsx'
import { words } from '../words.ts'
import styles from './fault.module.css'
import { Page } from './Page.tsx'

/** There is nothing at this address. */
export const NotHere = () => (
  <Page heading={words.notHere} state="error">
    <p className={styles.text}>{words.notHereWhy}</p>
    <Link to="/">{words.goHome}</Link>
  </Page>
)

/** The person does not have this screen. */
export const NotYours = () => (
  <Page heading={words.notYourRole} state="error">
    <p className={styles.text}>{words.notYourRoleWhy}</p>
    <Link to="/">{words.goHome}</Link>
  </Page>
)

/** The service refused or failed while the screen was read. */
export function Fault({
  error,
  onRetry,
  onRemoveFilters,
}: {
  error: unknown
  onRetry: () => void
  /** where filters are set that the service may have refused */
  onRemoveFilters?: (() => void) | undefined
}) {
  const { reset } = useQueryErrorResetBoundary()
  if (error instanceof WaybillError && error.status === 404) return <NotHere />
  if (error instanceof WaybillError && error.status === 403) return <NotYours />
  const isRefused = error instanceof WaybillError && error.status === 400
  const requestId = error instanceof WaybillError ? error.requestId : undefined
  const again = () => {
    reset()
    onRetry()
  }
  return (
    <Page heading={words.failed} state="error">
      <p className={styles.text}>{reasonOf(error)}</p>
      {isRefused && onRemoveFilters !== undefined ? (
        <Button onPress={onRemoveFilters}>{uiWords.removeFilters}</Button>
      ) : (
        <>
          {requestId !== undefined && <RequestId id={requestId} />}
          <Button onPress={again}>{uiWords.tryAgain}</Button>
        </>
      )}
    </Page>
  )
}

/** The reasons of a refusal as a text; of any other failure that the service did not answer. */
export const reasonOf = (error: unknown): string =>
  error instanceof WaybillError && error.errorMessages.length > 0
    ? error.errorMessages.join(' ')
    : words.noAnswer

/** The id under which the service has logged a request, to be passed on to whoever looks after it. */
export const RequestId = ({ id }: { id: string }) => (
  <p className={styles.text}>
    {words.requestId(id)}{' '}
    <Button kind="quiet" onPress={() => void navigator.clipboard.writeText(id)}>
      {words.copy}
    </Button>
  </p>
)
