"""How many examples the property tests try: HYPOTHESIS_PROFILE=quick | default | nightly."""

import os

from hypothesis import HealthCheck, settings

for _name, _examples in (("quick", 30), ("default", 100), ("nightly", 500)):
    settings.register_profile(f"trust-{_name}", max_examples=_examples, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(f"trust-{os.environ.get('HYPOTHESIS_PROFILE', 'default')}")
