"""What Prometheus reads: counts and durations, no text, no names of people or spaces."""

from dataclasses import dataclass, field

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

_SECONDS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)


@dataclass(slots=True)
class Metrics:
    """The metrics of one process, in a registry of their own."""

    registry: CollectorRegistry = field(default_factory=CollectorRegistry)
    stored: Counter = field(init=False)
    duplicates: Counter = field(init=False)
    digested: Counter = field(init=False)
    remember_s: Histogram = field(init=False)
    recall_s: Histogram = field(init=False)
    jobs: Gauge = field(init=False)
    healthy: Gauge = field(init=False)

    def __post_init__(self) -> None:
        self.stored = Counter("consilience_episodes_stored", "Episodes stored", registry=self.registry)
        self.duplicates = Counter("consilience_episodes_duplicate", "Episodes that were there already", registry=self.registry)
        self.digested = Counter("consilience_episodes_digested", "Episodes digested by this process", registry=self.registry)
        self.remember_s = Histogram("consilience_remember_seconds", "Duration of remember", buckets=_SECONDS, registry=self.registry)
        self.recall_s = Histogram("consilience_recall_seconds", "Duration of recall", buckets=_SECONDS, registry=self.registry)
        self.jobs = Gauge("consilience_jobs", "Jobs in the queue", ["state"], registry=self.registry)
        self.healthy = Gauge("consilience_healthy", "1 if the service is healthy", registry=self.registry)

    def exposition(self) -> bytes:
        """The text format Prometheus scrapes."""
        return generate_latest(self.registry)
