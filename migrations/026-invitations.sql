-- Links by which a person sets a password of their own: for somebody new, and for whoever has forgotten
-- theirs. Only a hash of the link is kept. A new link ends the last one, and each can be used once.
create table user_invitation (
  organisation_id uuid not null,
  user_id uuid not null,
  token_hash bytea not null constraint user_invitation_token_hash_check check (octet_length(token_hash) = 32),
  expires_utc timestamptz not null,
  constraint user_invitation_pkey primary key (organisation_id, user_id),
  constraint user_invitation_user_fkey foreign key (organisation_id, user_id) references app_user
);
create unique index user_invitation_token on user_invitation (token_hash);

-- When somebody last got a link. A column of the person, so that the history of the organisation tells who
-- gave it.
alter table app_user add column invited_utc timestamptz;
