"""Listing all accounts, page by page."""

from firebase_admin import auth

import fresh


def test_everybody_is_listed_once_over_many_pages(onward):
    mine = {auth.create_user().uid for _ in range(8)}
    listed = [user.uid for user in auth.list_users(max_results=3).iterate_all()]
    assert mine <= set(listed)
    assert len(listed) == len(set(listed))


def test_pages_are_as_long_as_asked_for_and_lead_on_to_the_end(onward):
    mine = {auth.create_user().uid for _ in range(5)}
    page, pages = auth.list_users(max_results=2), []
    while page:
        pages.append([user.uid for user in page.users])
        page = page.get_next_page()
    assert mine <= {uid for page in pages for uid in page}
    # The last page may be empty: after a full page it is not known whether there are more.
    assert all(len(page) == 2 for page in pages[:-1]) and len(pages[-1]) <= 2


def test_without_a_number_a_page_holds_up_to_a_thousand(onward):
    mine = auth.create_user(email=fresh.email(), display_name="Ada")
    page = auth.list_users()
    assert not page.has_next_page
    [listed] = [user for user in page.users if user.uid == mine.uid]
    assert (listed.email, listed.display_name) == (mine.email, "Ada")


def test_an_account_made_or_deleted_meanwhile_does_not_disturb_the_pages(onward):
    for _ in range(6):
        auth.create_user()
    page = auth.list_users(max_results=3)
    auth.delete_user(page.users[-1].uid)
    seen = {user.uid for user in page.users}
    stays = {user.uid for user in auth.list_users().users}
    while page := page.get_next_page():
        assert seen.isdisjoint(user.uid for user in page.users)
        seen |= {user.uid for user in page.users}
    assert stays <= seen
