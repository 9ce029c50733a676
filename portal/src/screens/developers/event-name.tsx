// The name of an event, such as consignment.status_updated, which may go on in the next line after its dot.

import { Fragment } from 'react'

export const EventName = ({ type }: { type: string }) =>
  type.split(/(?<=\.)/).map((part, i) => (
    <Fragment key={part}>
      {i > 0 && <wbr />}
      {part}
    </Fragment>
  ))
