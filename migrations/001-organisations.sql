-- Organisations, the people and apps that act for them, and what OAuth has to remember.
--
-- House rules of this schema: every key, foreign key and index begins with organisation_id, so that a row
-- cannot point at another organisation's row and the data can be spread by organisation; ids are UUIDv7 made
-- by the application; quantities and money are numeric; `timestamp` columns hold a warehouse's wall clock,
-- `timestamptz` columns (named …_utc) hold instants.

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- How times look inside JSON built by a query; top-level columns are formatted the same way by the driver.
create function as_local(value timestamp) returns text language sql stable strict parallel safe
  return to_char(value, 'YYYY-MM-DD"T"HH24:MI:SS"Z"');
create function as_utc(value timestamptz) returns text language sql stable strict parallel safe
  return to_char(value at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

-- A LIKE pattern that finds the text anywhere, taken literally.
create function containing(value text) returns text language sql immutable strict parallel safe
  return '%' || replace(replace(replace(lower(value), '\', '\\'), '%', '\%'), '_', '\_') || '%';

create table organisation (
  id uuid constraint organisation_pkey primary key,
  name text not null,
  consignment_prefix text not null constraint organisation_prefix_letters
    check (consignment_prefix ~ '^[A-Z]{3,6}$'),
  timezone_id text not null,
  last_consignment_number bigint not null default 0,
  last_logistic_unit_number bigint not null default 0,
  -- 1 WholeUnit: a request for all that a pallet holds takes the pallet; 2 LooseItems: it takes the items
  full_pallet_allocation smallint not null default 1 constraint organisation_full_pallet_allocation
    check (full_pallet_allocation in (1, 2)),
  is_full_pallet_first boolean not null default true,
  is_count_approved_by_another boolean not null default false,
  created_utc timestamptz not null default now()
);

create table app_user (
  organisation_id uuid not null constraint app_user_organisation_fkey references organisation,
  id uuid not null,
  email text not null,
  full_name text not null,
  role text not null default 'member',
  partner_id uuid,
  password_hash text,
  -- A sign-in remembers the number that it began with, and is over when this is another: no two clocks have
  -- to agree.
  session_number int not null default 0,
  created_utc timestamptz not null default now(),
  disabled_utc timestamptz,
  constraint app_user_pkey primary key (organisation_id, id)
);
create unique index app_user_email_key on app_user (organisation_id, lower(email));
-- The session of a browser knows the person only.
create index app_user_id on app_user (id);
create index app_user_disabled on app_user (disabled_utc) where disabled_utc is not null;

create table custom_app (
  organisation_id uuid not null constraint custom_app_organisation_fkey references organisation,
  id uuid not null,
  name text not null,
  description text,
  grant_type smallint not null constraint custom_app_grant_type check (grant_type in (1, 2)),
  client_id text not null constraint custom_app_client_id_key unique,
  -- SHA-256 of the secret, encrypted: checks the secret and, because the secret is longer than a hash block,
  -- is also the key of webhook signatures.
  secret_hash bytea not null,
  -- the secret before it, for as long as both are good
  previous_secret_hash bytea,
  previous_secret_expires_utc timestamptz,
  scopes text[] not null,
  redirect_uris text[] not null default '{}',
  created_by uuid not null,
  created_utc timestamptz not null default now(),
  disabled_utc timestamptz,
  constraint custom_app_pkey primary key (organisation_id, id),
  constraint custom_app_previous_secret
    check ((previous_secret_hash is null) = (previous_secret_expires_utc is null)),
  constraint custom_app_created_by_fkey foreign key (organisation_id, created_by) references app_user
);
create index custom_app_disabled on custom_app (disabled_utc) where disabled_utc is not null;

-- An identity connection: one app acting for one user. The scopes are what the user has allowed it when
-- signing in; client credentials, which act for the user who created the app, need no consent.
create table identity_connection (
  organisation_id uuid not null,
  id uuid not null,
  custom_app_id uuid not null,
  user_id uuid not null,
  allowed_scopes text[] not null default '{}',
  -- Access tokens carry the number that they were made with. Withdrawing consent raises it.
  consent_number int not null default 0,
  withdrawn_utc timestamptz,
  created_utc timestamptz not null default now(),
  constraint identity_connection_pkey primary key (organisation_id, id),
  constraint identity_connection_key unique (organisation_id, custom_app_id, user_id),
  constraint identity_connection_app_fkey foreign key (organisation_id, custom_app_id) references custom_app,
  constraint identity_connection_user_fkey foreign key (organisation_id, user_id) references app_user
);
create index identity_connection_withdrawn on identity_connection (withdrawn_utc)
  where withdrawn_utc is not null;

-- What the OAuth server stores: codes, grants, sessions, refresh tokens. The id is the secret that its holder
-- presents: it is hashed, and the payload, which repeats it, is encrypted, so that a copy of the table opens
-- nothing.
create table oauth_record (
  model text not null,
  id_hash bytea not null,
  payload bytea not null,
  -- what the record hangs on: the grant (a grant's own is itself), the browser session, the person
  grant_id text,
  uid text,
  user_id uuid,
  -- the app that it was made for
  client_id text,
  expires_utc timestamptz,
  consumed_utc timestamptz,
  constraint oauth_record_pkey primary key (model, id_hash)
);
create index oauth_record_grant on oauth_record (grant_id) where grant_id is not null;
create index oauth_record_uid on oauth_record (uid) where uid is not null;
create index oauth_record_user on oauth_record (user_id) where user_id is not null;
create index oauth_record_expiry on oauth_record (expires_utc);

-- Failed sign-ins by hashed key: an account, a browser that has signed in to it before, an address.
-- `failures` shrinks with time.
create table sign_in_failure (
  key_hash bytea constraint sign_in_failure_pkey primary key,
  failures double precision not null,
  last_utc timestamptz not null
);
create index sign_in_failure_last on sign_in_failure (last_utc);

-- Private keys that sign access tokens, encrypted. The newest signs; the others verify until they are
-- retired, which is when the last token that they signed has expired, or at once when one has leaked.
create table signing_key (
  kid text constraint signing_key_pkey primary key,
  private_jwk bytea not null,
  created_utc timestamptz not null default now(),
  retired_utc timestamptz
);
