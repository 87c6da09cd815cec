#!/bin/sh
# Writes secrets/neo4j_password and secrets/neo4j_auth for docker-compose.yml: one random password, in the two forms its readers want.
# The folder keeps other people of this machine out (0700). The files are readable by all inside it, because Compose mounts a secret
# with the owner and mode it has here, and neither container's user exists here.
set -eu
cd "$(dirname "$0")/../.."
if [ -e secrets/neo4j_password ] || [ -e secrets/neo4j_auth ]; then
  echo 'secrets/ is there already and stays as it is: the database keeps the password it was first started with.'
  exit 0
fi
umask 022
mkdir -p secrets
chmod 700 secrets
printf '*\n' > secrets/.gitignore
password=$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')
printf '%s' "$password" > secrets/neo4j_password
printf 'neo4j/%s' "$password" > secrets/neo4j_auth
echo 'Wrote secrets/neo4j_password and secrets/neo4j_auth. Next: docker compose up --build'
