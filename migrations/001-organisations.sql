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
  -- How the browser apps write dates and numbers, as a BCP 47 tag, and where their weeks begin: 1 is Monday.
  locale text not null default 'en-NZ' constraint organisation_locale
    check (locale ~ '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$'),
  first_day_of_week smallint not null default 1 constraint organisation_first_day_of_week
    check (first_day_of_week between 1 and 7),
  last_consignment_number bigint not null default 0,
  last_logistic_unit_number bigint not null default 0,
  last_job_number bigint not null default 0,
  last_stock_count_number bigint not null default 0,
  -- 1 WholeUnit: a request for all that a pallet holds takes the pallet; 2 LooseItems: it takes the items
  full_pallet_allocation smallint not null default 1 constraint organisation_full_pallet_allocation
    check (full_pallet_allocation in (1, 2)),
  is_full_pallet_first boolean not null default true,
  count_approval_by_second_user boolean not null default false,
  -- If true, the user who last edited a version of a rate card may not approve it.
  rate_card_approval_by_second_user boolean not null default false,
  -- If true, a consignment with work that no rate charges cannot be Closed.
  closing_requires_rates boolean not null default false,
  -- What papers show. 1 A4, 2 Letter
  paper_size smallint not null default 1 constraint organisation_paper_size check (paper_size in (1, 2)),
  -- This number is staffed day and night while dangerous goods are in transit.
  dg_emergency_phone text,
  -- Tax invoices show the tax number and the name of the tax.
  tax_number text,
  tax_name text,
  -- Papers print the address with its line breaks.
  address text,
  payment_terms text,
  -- Where to pay. Papers print it with its line breaks.
  bank_details text,
  -- For the accounting program: the currency, the tracking category that holds the cost centres, and the
  -- number of days after which a bill is due.
  currency_code text constraint organisation_currency_code check (currency_code ~ '^[A-Z]{3}$'),
  tracking_category text,
  -- Invoices are numbered without a gap, from the first number on.
  invoice_prefix text not null default 'INV-' constraint organisation_invoice_prefix
    check (invoice_prefix ~ '^[A-Za-z0-9/-]{1,7}$'),
  first_invoice_number bigint not null default 1,
  next_invoice_number bigint not null default 1 constraint organisation_invoice_numbers
    check (first_invoice_number between 1 and next_invoice_number),
  payment_terms_days integer constraint organisation_payment_terms_days
    check (payment_terms_days between 0 and 365),
  created_utc timestamptz not null default now()
);

-- The logo that papers show.
create table organisation_logo (
  organisation_id uuid constraint organisation_logo_pkey primary key
    constraint organisation_logo_organisation_fkey references organisation,
  file_name text not null,
  content_type text not null,
  content bytea not null,
  -- a PNG of at most 256 by 256 pixels
  thumbnail bytea not null,
  uploaded_utc timestamptz not null default now()
);
alter table organisation_logo alter column content set storage external,
  alter column thumbnail set storage external;

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
  -- Access tokens carry the number that they were made with. A new role or partner raises it, which ends
  -- them.
  access_number int not null default 0,
  access_changed_utc timestamptz,
  created_utc timestamptz not null default now(),
  disabled_utc timestamptz,
  constraint app_user_pkey primary key (organisation_id, id)
);
create unique index app_user_email_key on app_user (organisation_id, lower(email));
-- The session of a browser knows the person only.
create index app_user_id on app_user (id);
create index app_user_access_changed on app_user (access_changed_utc)
  where access_changed_utc is not null;
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
  -- Access tokens carry the number that they were made with. A secret that is replaced without overlap ends
  -- them.
  access_number int not null default 0,
  access_changed_utc timestamptz,
  scopes text[] not null,
  redirect_uris text[] not null default '{}',
  -- The browser apps that every organisation has. They act for the operator, hold every scope, and have a
  -- secret that nobody knows. Their rows are made when they are first asked for.
  built_in text constraint custom_app_built_in check (built_in in ('portal', 'floor')),
  created_by uuid not null,
  created_utc timestamptz not null default now(),
  disabled_utc timestamptz,
  constraint custom_app_pkey primary key (organisation_id, id),
  constraint custom_app_previous_secret
    check ((previous_secret_hash is null) = (previous_secret_expires_utc is null)),
  constraint custom_app_created_by_fkey foreign key (organisation_id, created_by) references app_user
);
create unique index custom_app_built_in_key on custom_app (organisation_id, built_in)
  where built_in is not null;
create index custom_app_access_changed on custom_app (access_changed_utc)
  where access_changed_utc is not null;
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

-- The present names of a person and of the app of a connection, to be stored with what they do: whoever is
-- renamed later must not rename the past.
create function user_name(organisation uuid, person uuid) returns text language sql stable parallel safe
  return (select full_name from app_user where organisation_id = organisation and id = person);
create function app_name(organisation uuid, connection uuid) returns text language sql stable parallel safe
  return (
    select a.name from identity_connection i
    join custom_app a on a.organisation_id = i.organisation_id and a.id = i.custom_app_id
    where i.organisation_id = organisation and i.id = connection);

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

-- Who changed what of an organisation, its people, its apps and the keys that sign its tokens. Written by
-- triggers, so that nothing that changes them can forget it: the service, a command, or somebody with psql.
create table administration_entry (
  organisation_id uuid not null constraint administration_entry_organisation_fkey references organisation,
  id uuid not null default gen_random_uuid(),
  at_utc timestamptz not null default clock_timestamp(),
  subject text not null constraint administration_entry_subject check (subject in ('organisation', 'user',
    'custom-app', 'signing-key', 'printer', 'printer-bridge')),
  -- null for a signing key, which has no uuid
  subject_id uuid,
  -- [{field, from, to}] by column; of passwords and secrets only that there is another
  changes jsonb not null,
  -- none of them: changed by a command, or in the database
  user_id uuid,
  identity_connection_id uuid,
  -- their names at that time: a person who is renamed later must not rename the past
  user_name text,
  app_name text,
  request_id text,
  address text,
  constraint administration_entry_pkey primary key (organisation_id, id)
);
create index administration_entry_by_time on administration_entry (organisation_id, at_utc, id);

-- The argument names the subject. `waybill.author` is set for the transaction by whoever changes something
-- for somebody: see src/platform/http/with-author.ts.
create function record_administration() returns trigger language plpgsql as $$
declare
  author constant jsonb := nullif(current_setting('waybill.author', true), '')::jsonb;
  secrets constant text[] := '{password_hash,secret_hash}';
  unsaid constant text[] := '{organisation_id,id,kid,created_utc,created_by,session_number,
    access_number,access_changed_utc,
    previous_secret_hash,private_jwk,last_consignment_number,last_logistic_unit_number,is_reachable,reason}';
  before constant jsonb := case tg_op when 'UPDATE' then to_jsonb(old) else '{}' end;
  after constant jsonb := to_jsonb(new);
  changes constant jsonb := (
    select coalesce(jsonb_agg(jsonb_build_object('field', n.key,
        'from', case when n.key <> all (secrets) then before -> n.key end,
        'to', case when n.key <> all (secrets) then n.value end) order by n.key), '[]')
    from jsonb_each(after - unsaid) n
    where n.value is distinct from coalesce(before -> n.key, 'null'));
begin
  if tg_op = 'INSERT' or changes <> '[]' then
    insert into administration_entry (organisation_id, subject, subject_id, changes, user_id,
      identity_connection_id, user_name, app_name, request_id, address)
    select o.id, tg_argv[0], (after ->> 'id')::uuid, changes, (author ->> 'userId')::uuid,
      (author ->> 'connectionId')::uuid, author ->> 'userName', author ->> 'appName', author ->> 'requestId',
      author ->> 'address'
    from organisation o
    where o.id = case tg_argv[0] when 'organisation' then (after ->> 'id')::uuid
      else (after ->> 'organisation_id')::uuid end
      or tg_argv[0] = 'signing-key';
  end if;
  return null;
end $$;

-- Of every column except the counters, which every consignment moves.
do $$ begin
  execute (
    select 'create trigger record_administration after insert or update of '
      || string_agg(attname, ', ' order by attnum)
      || ' on organisation for each row execute function record_administration(''organisation'')'
    from pg_attribute
    where attrelid = 'organisation'::regclass and attnum > 0 and not attisdropped
      and attname not like 'last\_%');
end $$;
create trigger record_administration after insert or update on app_user
  for each row execute function record_administration('user');
create trigger record_administration after insert or update on custom_app
  for each row execute function record_administration('custom-app');
create trigger record_administration after insert or update on signing_key
  for each row execute function record_administration('signing-key');
