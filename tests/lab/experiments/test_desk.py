from __future__ import annotations

from multiprocessing.connection import Connection

from lagotto.lab.experiments.teacher import Desk, SimulatedTeacher, connect


def test_a_teacher_is_right_as_often_as_it_should_and_answers_no_more() -> None:
    def right(share: float, seed: int = 0) -> int:
        teacher = SimulatedTeacher({"on"}, 10, share, seed)
        answers = [(url, teacher.answer(url)) for url in ["on", "off"] * 5]
        assert teacher.answer("on") is None
        return sum(said == (url == "on") for url, said in answers)

    assert [right(share) for share in (1.0, 0.9, 0.8, 0.0)] == [10, 9, 8, 0]
    assert {right(0.8, seed) for seed in range(5)} == {8}


def test_the_desk_answers_each_run_by_its_own_teacher() -> None:
    teachers = {"birds": SimulatedTeacher({"http://a/"}, 2), "chess": SimulatedTeacher({"http://b/"}, 1)}
    with Desk(teachers) as desk, connect(desk.address) as one, connect(desk.address) as other:

        def ask(connection: Connection, key: str) -> object:
            connection.send((key, "http://a/"))
            return connection.recv()

        assert ask(one, "birds") is True
        assert ask(other, "chess") is False
        assert ask(other, "birds") is True
        assert ask(one, "birds") is None, "both questions are used up"
        assert ask(one, "nobody's") is None
