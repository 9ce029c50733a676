// Texts of people in one line, with commas between them. A mark that turns the direction of one text does not
// reach the next one.

import { Fragment } from 'react'

/** The texts that there are. */
export const Joined = ({ texts }: { texts: readonly (string | null | undefined | false)[] }) =>
  texts
    .filter((text): text is string => typeof text === 'string' && text !== '')
    .map((text, i) => (
      <Fragment key={text}>
        {i > 0 && ', '}
        <bdi>{text}</bdi>
      </Fragment>
    ))
